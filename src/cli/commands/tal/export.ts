import type { Company, Provenance } from '../../../contract/companies.ts'
import type { TalEntry } from '../../../contract/tal.ts'
import { forEachConcurrent } from '../../../lib/for-each-concurrent.ts'
import { pluralize } from '../../../lib/pluralize.ts'
import { parseFields } from '../../../spreadsheets/company-columns.ts'
import { exportList } from '../../../spreadsheets/write-list.ts'
import type { Handler } from '../../support/definition.ts'
import { openClient } from '../../support/open-client.ts'
import { createProgress } from '../../support/progress.ts'
import { writeWhole } from '../../support/sheet-files.ts'

interface Arguments {
  file: string
  fields: string | undefined
  provenance: boolean
  attribute: string | undefined
}

const AT_ONCE = 8

export const exportTal: Handler<Arguments> = async (command, { file, fields, provenance, attribute }) => {
  const { out, signal, json } = command
  const choice = { fields: parseFields(fields), provenance }
  const client = await openClient(command)
  const entries: (TalEntry & { provenance?: Provenance })[] = []
  for await (const entry of client.tal.list({ attribute }, { signal })) entries.push(entry)
  if (provenance) {
    const progress = createProgress('Reading sources', json)
    let done = 0
    await forEachConcurrent(entries, AT_ONCE, signal, async (entry) => {
      const company: Company = await client.companies.get(entry.domain, { include_provenance: true }, { signal })
      entry.provenance = company.provenance ?? {}
      done += 1
      progress.update(done, entries.length)
    }).finally(progress.stop)
  }
  await writeWhole(file, exportList(entries, choice))
  out.result(
    { file, companies: entries.length },
    () => `${pluralize(entries.length, 'company', 'companies')} written to ${file}.`,
  )
}
