import type { TalEntry } from '../../../contract/tal.ts'
import type { Handler } from '../../support/definition.ts'
import { openClient } from '../../support/open-client.ts'
import type { Format } from '../../support/output.ts'
import { formatRows } from '../../support/output.ts'

const EMPTY = 'The list is empty. Add companies with `talhouse tal add DOMAIN...`.'
const COLUMNS = ['domain', 'name', 'status', 'enriched', 'source']

export const list: Handler<{ format: Format }> = async (command, { format }) => {
  const { out, signal } = command
  const client = await openClient(command)
  const companies: TalEntry[] = []
  for await (const company of client.tal.list({}, { signal })) companies.push(company)
  const rows = companies.map(({ domain, name, enrichment_status, enriched_at, source }) => ({
    domain,
    name,
    status: enrichment_status,
    enriched: enriched_at?.slice(0, 10) ?? null,
    source,
  }))
  out.result({ companies, total: companies.length }, () =>
    rows.length === 0 && format === 'table' ? EMPTY : formatRows(rows, format, COLUMNS),
  )
}
