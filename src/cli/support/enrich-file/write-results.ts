import type { Client } from '../../../client/index.ts'
import type { Company } from '../../../contract/companies.ts'
import { BATCH_READ_MAXIMUM } from '../../../contract/companies.ts'
import { chunk } from '../../../lib/chunk.ts'
import { forEachConcurrent } from '../../../lib/for-each-concurrent.ts'
import type { ColumnChoice } from '../../../spreadsheets/company-columns.ts'
import { companyColumns } from '../../../spreadsheets/company-columns.ts'
import { isUsed } from '../../../spreadsheets/list-entries.ts'
import { BYTE_ORDER_MARK, freeHeadings, sheetText } from '../../../spreadsheets/write-sheet.ts'
import type { Command } from '../command.ts'
import { unmatchedText, writeWhole } from '../sheet-files.ts'
import type { EnrichJob } from './job.ts'

export interface WrittenFiles {
  /** Number of rows in the output. */
  rows: number
  /** Number of rows in the second file: the doubtful, unknown and blank rows. */
  unmatched: number
  unmatched_file: string | null
}

const AT_ONCE = 8

/**
 * Writes the rows with a company to `out`, and the other rows to a second file in the same folder. Each input row is in
 * exactly one of the two files.
 */
export async function writeResults(
  { signal }: Command,
  client: Client,
  { sheet, state }: EnrichJob,
  choice: ColumnChoice,
  out: string,
): Promise<WrittenFiles> {
  const { results, include_doubtful, companies } = state
  const records = await readRecords(
    client,
    companies.map(({ domain }) => domain),
    choice,
    signal,
  )
  const left = new Set(companies.filter(({ task_id }) => task_id === null).map(({ domain }) => domain))
  const columns = companyColumns(choice)
  const headings = freeHeadings(['domain', 'match', 'note', ...columns.map(({ heading }) => heading)], sheet.columns)
  const rows = results.flatMap((result, index) => {
    if (!isUsed(result, include_doubtful)) return []
    const { domain } = result
    const record = records.get(domain)
    const note = left.has(domain) ? 'not enriched: no units' : (record?.status_reason ?? '')
    const cells = columns.map(({ cell }) => (record ? cell(record) : ''))
    return [[...(sheet.rows[index]?.cells ?? []), domain, result.status, note, ...cells]]
  })
  await writeWhole(out, BYTE_ORDER_MARK + sheetText([[...sheet.columns, ...headings], ...rows]))
  const others = unmatchedText({ sheet, results }, (row) => isUsed(row, include_doubtful))
  const unmatchedFile = `${out.replace(/\.csv$/i, '')}.unmatched.csv`
  if (others !== undefined) await writeWhole(unmatchedFile, others)
  return {
    rows: rows.length,
    unmatched: results.length - rows.length,
    unmatched_file: others === undefined ? null : unmatchedFile,
  }
}

async function readRecords(
  client: Client,
  domains: readonly string[],
  { provenance, leadership, signals }: ColumnChoice,
  signal: AbortSignal,
): Promise<Map<string, Company>> {
  const include = [...(leadership ? (['leadership'] as const) : []), ...(signals ? (['signals'] as const) : [])]
  const groups = include.length > 0 ? { include } : {}
  const records = new Map<string, Company>()
  for (const part of chunk(domains, BATCH_READ_MAXIMUM)) {
    const { companies } = await client.companies.batchRead({ domains: part, ...groups }, { signal })
    for (const company of companies) records.set(company.domain, company)
  }
  if (provenance)
    await forEachConcurrent([...records.keys()], AT_ONCE, signal, async (domain) => {
      const company = await client.companies.get(domain, { ...groups, include_provenance: true }, { signal })
      records.set(domain, company)
    })
  return records
}
