import type { CompanyToMatch } from '../contract/match.ts'
import type { TalNewEntry } from '../contract/tal.ts'
import type { TalImport, TalImportRow } from '../contract/tal-sheets.ts'
import type { SheetColumns } from './find-columns.ts'
import type { Sheet } from './read-sheet.ts'

/**
 * Returns the columns stored as attributes: all except the domain, so that an export contains all columns of the input.
 */
export const attributeColumns = ({ columns: headings }: Sheet, columns: SheetColumns): string[] =>
  headings.filter((_, index) => index !== columns.domain)

/**
 * Reports whether a row's company is used: always for a matched row, and for a doubtful row only if doubtful rows are
 * accepted.
 */
export const isUsed = <Row extends Pick<TalImportRow, 'status' | 'domain'>>(
  row: Row,
  acceptsDoubtful: boolean,
): row is Row & { domain: string } =>
  row.domain !== null && (row.status === 'matched' || (acceptsDoubtful && row.status === 'doubtful'))

/**
 * Returns the list entries for matched rows and accepted doubtful rows. If several rows match the same company, the
 * first row's attributes are used.
 */
export function entriesOf(
  sheet: Sheet,
  columns: SheetColumns,
  results: readonly TalImportRow[],
  acceptsDoubtful: (row: number) => boolean,
): TalNewEntry[] {
  const entries = new Map<string, TalNewEntry>()
  for (const [index, result] of results.entries()) {
    if (!isUsed(result, acceptsDoubtful(result.row)) || entries.has(result.domain)) continue
    const { domain } = result
    const { cells } = sheet.rows[index] as Sheet['rows'][number]
    const attributes = sheet.columns.flatMap((heading, column): [string, string][] => {
      const cell = (cells[column] as string).trim()
      return column === columns.domain || cell === '' ? [] : [[heading, cell]]
    })
    entries.set(domain, { domain, attributes: Object.fromEntries(attributes) })
  }
  return [...entries.values()]
}

/** Summarizes an import. `added` and `updated` are omitted, because they are known only after the import. */
export function summarize(
  sheet: Sheet,
  columns: SheetColumns,
  results: readonly TalImportRow[],
): Omit<TalImport, 'dry_run' | 'added' | 'updated'> {
  const count = (status: TalImportRow['status']) => results.filter((row) => row.status === status).length
  const headings = Object.entries(columns).flatMap(([field, index]) =>
    index === undefined ? [] : [[field, sheet.columns[index]]],
  )
  return {
    columns: Object.fromEntries(headings) as Record<keyof CompanyToMatch, string>,
    attributes: attributeColumns(sheet, columns),
    rows: results.length,
    matched: count('matched'),
    doubtful: count('doubtful'),
    unknown: count('unknown'),
    blank: count('blank'),
    duplicates: results.filter(({ status, duplicate_of }) => status === 'matched' && duplicate_of !== null).length,
    results: [...results],
  }
}
