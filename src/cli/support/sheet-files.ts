import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Client } from '../../client/index.ts'
import type { CompanyToMatch } from '../../contract/match.ts'
import type { TalImport, TalImportRow } from '../../contract/tal-sheets.ts'
import { AppError, messageOf } from '../../lib/errors.ts'
import { pluralize } from '../../lib/pluralize.ts'
import type { SheetColumns } from '../../spreadsheets/find-columns.ts'
import { findColumns } from '../../spreadsheets/find-columns.ts'
import { matchRows } from '../../spreadsheets/match-rows.ts'
import type { Sheet } from '../../spreadsheets/read-sheet.ts'
import { readSheet } from '../../spreadsheets/read-sheet.ts'
import { BYTE_ORDER_MARK, freeHeadings, sheetText } from '../../spreadsheets/write-sheet.ts'
import type { Command } from './command.ts'
import { createProgress } from './progress.ts'
import type { MatchArguments } from './sheet-options.ts'

/** A file and the match result of each row. */
export interface MatchedSheet {
  sheet: Sheet
  columns: SheetColumns
  results: TalImportRow[]
}

export async function readInput(file: string): Promise<Buffer> {
  return await readFile(file).catch((error: unknown) => {
    throw new AppError('bad_input', `${file} cannot be read: ${messageOf(error)}`)
  })
}

/** Matches the rows in a file through the API and shows progress. */
export async function matchSheet(
  { json, signal }: Command,
  client: Client,
  bytes: Uint8Array,
  args: MatchArguments,
): Promise<MatchedSheet> {
  const sheet = readSheet(bytes)
  const columns = findColumns(sheet, { domain: args['domain-column'], name: args['name-column'] })
  const progress = createProgress('Matching', json)
  try {
    const match = async (companies: CompanyToMatch[]) =>
      (await client.match.companies({ companies }, { signal })).matches
    const results = await matchRows(sheet, columns, match, (rows) => progress.update(rows, sheet.rows.length))
    return { sheet, columns, results }
  } finally {
    progress.stop()
  }
}

/** Maximum number of unmatched rows shown. */
const SHOWN = 5

/** Summarizes the matches in a few lines. */
export function summaryText(file: string, report: Omit<TalImport, 'dry_run' | 'added' | 'updated'>): string {
  const { rows, matched, doubtful, unknown, blank, duplicates, columns, results } = report
  const read = Object.entries(columns).map(([field, heading]) => `${field.replace('_number', '')} from "${heading}"`)
  const count = (number: number, status: string, note = '') => `  ${String(number).padStart(6)}  ${status}${note}`
  const examples = (status: TalImportRow['status']) => {
    const of = results.filter((row) => row.status === status)
    const more = of.length > SHOWN ? [`          ... and ${of.length - SHOWN} more`] : []
    return [...of.slice(0, SHOWN).map(({ row, reason }) => `          row ${row}: ${reason}`), ...more]
  }
  return [
    `${file}: ${pluralize(rows, 'row')}, ${read.join(', ')}`,
    count(matched, 'matched', duplicates > 0 ? `, ${duplicates} of them to the company of an earlier row` : ''),
    count(doubtful, 'doubtful'),
    ...examples('doubtful'),
    count(unknown, 'unknown'),
    ...examples('unknown'),
    ...(blank > 0 ? [count(blank, 'blank')] : []),
  ].join('\n')
}

/**
 * Formats the rows that need review, each with the most likely company and the reason; undefined if no rows need
 * review.
 */
export function unmatchedText(
  { sheet, results }: Pick<MatchedSheet, 'sheet' | 'results'>,
  isUsed: (row: TalImportRow) => boolean,
): string | undefined {
  const left = results.flatMap((result, index) =>
    isUsed(result) ? [] : [{ result, cells: sheet.rows[index]?.cells ?? [] }],
  )
  if (left.length === 0) return undefined
  const headings = freeHeadings(['row', 'match', 'suggested_domain', 'likelihood', 'reason'], sheet.columns)
  const rows = left.map(({ cells, result: { row, status, domain, likelihood, reason } }) => [
    ...cells,
    String(row),
    status,
    domain ?? '',
    likelihood === null ? '' : String(likelihood),
    reason ?? '',
  ])
  return BYTE_ORDER_MARK + sheetText([[...sheet.columns, ...headings], ...rows])
}

/** Writes a file atomically. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.part`
  await writeFile(draft, text)
  await rename(draft, file)
}
