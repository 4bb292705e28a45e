import type { FirmFieldName } from '../contract/firm-fields.ts'
import { FIRM_FIELD_NAMES, FIRM_FIELDS } from '../contract/firm-fields.ts'
import { AppError } from '../lib/errors.ts'
import type { CellValue } from './cell-values.ts'
import { PARSE } from './cell-values.ts'
import { headingKey, isPersonal, JOINED_ADDRESS_HEADINGS, ROSTER_COLUMNS, WEBSITE_HEADINGS } from './roster-columns.ts'

/** The layout of a roster, derived from its header row. */
export interface RosterLayout {
  /** Name in import reports, such as `SEC roster, 262 columns`. */
  name: string
  delimiter: ',' | '|' | '\t'
  /** Number of cells per row, not counting the empty cell after a trailing delimiter. */
  width: number
  trailingDelimiter: boolean
  headings: readonly string[]
  /** Typed fields by column. */
  typed: readonly { field: FirmFieldName; heading: string; index: number; parse: (cell: string) => CellValue }[]
  /** Columns stored in `items` under their heading. */
  items: readonly { heading: string; index: number }[]
  /** Indexes of columns with personal data, which are never stored. */
  personal: ReadonlySet<number>
  websiteIndex: number | undefined
  joinedAddressIndex: number | undefined
  /** Typed fields in this layout. Other fields keep their current values. */
  fields: readonly FirmFieldName[]
}

/** Names of the published layouts, by number of columns. Other layouts are also accepted. */
const PUBLISHED: Record<number, string> = {
  25: '2006-2009',
  26: '2006-2008',
  158: '2009-2010',
  171: 'exempt, since 2025',
  184: 'exempt, 2023-2025',
  262: '2021-2022',
  448: 'since 2025',
}

/**
 * Derives the layout from the header row. Columns may be in any order. Throws `bad_input` if required headings are
 * missing.
 */
export function readLayout(file: string, cells: readonly string[], delimiter: RosterLayout['delimiter']): RosterLayout {
  const trailingDelimiter = cells.length > 1 && cells.at(-1)?.trim() === ''
  const headings = uniqueHeadings((trailingDelimiter ? cells.slice(0, -1) : cells).map((cell) => cell.trim()))
  const indexes = new Map(headings.map((heading, index) => [headingKey(heading), index] as const).reverse())
  const find = (names: readonly string[]) =>
    names.map((name) => indexes.get(headingKey(name))).find((index) => index !== undefined)
  const personal = new Set(headings.flatMap((heading, index) => (isPersonal(heading) ? [index] : [])))
  const found = FIRM_FIELD_NAMES.flatMap((field) => {
    const column = ROSTER_COLUMNS[field]
    const index = column && find(column.headings)
    if (!column || index === undefined || personal.has(index)) return []
    const parse = column.parse ?? PARSE[FIRM_FIELDS[field].type]
    return [{ field, heading: headings[index] as string, index, parse, keepCell: column.keepCell ?? false }]
  })
  refuseUnknown(file, headings, new Set(found.map(({ field }) => field)))
  const websiteIndex = find(WEBSITE_HEADINGS)
  const joinedAddressIndex = find(JOINED_ADDRESS_HEADINGS)
  const typedOnly = new Set(found.filter(({ keepCell }) => !keepCell).map(({ index }) => index))
  const derived: FirmFieldName[] = [
    ...(websiteIndex === undefined ? [] : (['website', 'website_domain', 'social_url'] as const)),
    ...(joinedAddressIndex === undefined ? [] : (['city', 'state', 'postal_code'] as const)),
    'firm_type',
  ]
  const fields = new Set<FirmFieldName>([...found.map(({ field }) => field), ...derived])
  return {
    name: `SEC roster, ${headings.length} columns${PUBLISHED[headings.length] ? ` (${PUBLISHED[headings.length]})` : ''}`,
    delimiter,
    width: headings.length,
    trailingDelimiter,
    headings,
    typed: found,
    items: headings.flatMap((heading, index) =>
      typedOnly.has(index) || personal.has(index) ? [] : [{ heading, index }],
    ),
    personal,
    websiteIndex,
    joinedAddressIndex,
    fields: FIRM_FIELD_NAMES.filter((field) => fields.has(field)),
  }
}

/** Makes headings unique by numbering repeated headings. */
function uniqueHeadings(headings: string[]): string[] {
  const seen = new Map<string, number>()
  return headings.map((heading) => {
    const count = (seen.get(heading) ?? 0) + 1
    seen.set(heading, count)
    return count === 1 ? heading : `${heading} (${count})`
  })
}

function refuseUnknown(file: string, headings: string[], found: ReadonlySet<FirmFieldName>): void {
  const missing = [
    ...(found.has('crd_number') ? [] : ['"Organization CRD#"']),
    ...(found.has('sec_number') ? [] : ['"SEC#"']),
    ...(found.has('legal_name') || found.has('business_name') ? [] : ['"Legal Name" or "Primary Business Name"']),
  ]
  if (missing.length === 0) return
  const seen = headings.slice(0, 6).map((heading) => JSON.stringify(heading.slice(0, 40)))
  throw new AppError(
    'bad_input',
    `${file} is not an SEC firm roster: the header row is missing ${missing.join(', ')}. It starts with ${seen.join(', ')}. ` +
      'Import the file as published, with its header row (158, 171, 184, 262 or 448 columns, or the |-separated text of 2006 to 2008).',
  )
}

/** Returns the most frequent delimiter in the first line. */
export function detectDelimiter(firstLine: string): RosterLayout['delimiter'] {
  const count = (delimiter: string) => firstLine.split(delimiter).length
  if (count('|') > count(',')) return '|'
  return count('\t') > count(',') ? '\t' : ','
}
