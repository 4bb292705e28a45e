import type { TalEntry } from '../../../contract/tal.ts'
import { TAL_PAGE_DEFAULT } from '../../../contract/tal.ts'
import type { Handler } from '../../support/definition.ts'
import { openClient } from '../../support/open-client.ts'
import { formatRows } from '../../support/output.ts'

export const list: Handler = async (command) => {
  const { out, signal } = command
  await using client = await openClient(command)
  const companies: TalEntry[] = []
  for (;;) {
    const page = await client.tal.list({ limit: TAL_PAGE_DEFAULT, offset: companies.length }, signal)
    companies.push(...(page.companies as TalEntry[]))
    // A host without paging returns the whole list and no total.
    if (typeof page.total !== 'number' || page.companies.length === 0 || companies.length >= page.total) break
  }
  const rows = companies.map(({ domain, name, enrichment_status, enriched_at, source }) => ({
    domain,
    name,
    status: enrichment_status,
    enriched: enriched_at?.slice(0, 10) ?? null,
    tag: source,
  }))
  out.result({ companies, total: companies.length }, () =>
    rows.length > 0 ? formatRows(rows, 'table') : 'The list is empty. Add companies with `talhouse tal add DOMAIN...`.',
  )
}
