import { normalizeDomains } from '../companies/normalize-domain.ts'
import type { MatchField } from '../contract/match.ts'
import { AppError } from '../lib/errors.ts'
import type { Sheet } from './read-sheet.ts'

/** The index of the column that contains each match field. */
export type SheetColumns = { [Field in MatchField]?: number | undefined }

/** Columns named by the user. */
export interface NamedColumns {
  domain?: string | undefined
  name?: string | undefined
}

const HEADINGS: Readonly<Record<MatchField, RegExp>> = {
  domain:
    /^((company|account|firm)?(domain|domainname|website|websiteurl|webaddress|website address|homepage|url|web|site))$/,
  name: /^((company|account|firm|organi[sz]ation|business|legal|client|customer)(name)?|name|employer)$/,
  city: /^((hq|headquarters|company|office|billing)?(city|town))$/,
  state: /^((hq|headquarters|company|office|billing)?(state|province|stateprovince|region))$/,
  country: /^((hq|headquarters|company|office|billing)?(country|countryregion))$/,
  lei: /^(lei|leicode|legalentityidentifier)$/,
  cik: /^(cik|ciknumber)$/,
  crd_number: /^(crd|crdnumber|crdno|organizationcrd)$/,
}

/** Maximum number of values checked when recognizing a domain column. */
const SAMPLE = 200
const MOSTLY = 0.6

/**
 * Finds the domain, name, place and identifier columns by their headings. A domain column is also recognized by its
 * values. Throws `unprocessable` if there is no domain, name or identifier column, or if a named column does not exist.
 */
export function findColumns(sheet: Sheet, named: NamedColumns = {}): SheetColumns {
  const columns: SheetColumns = {}
  for (const [field, name] of Object.entries(named))
    if (name !== undefined) columns[field as MatchField] = columnNamed(sheet, name)
  for (const [field, pattern] of Object.entries(HEADINGS) as [MatchField, RegExp][])
    columns[field] ??= free(sheet, columns).find((index) => pattern.test(plain(sheet.columns[index] as string)))
  columns.domain ??= free(sheet, columns).find((index) => isDomainColumn(sheet, index))
  const found: SheetColumns = Object.fromEntries(Object.entries(columns).filter(([, index]) => index !== undefined))
  if (!['domain', 'name', 'lei', 'cik', 'crd_number'].some((field) => field in found))
    throw new AppError(
      'unprocessable',
      `No column contains domains, company names or identifiers. The columns are: ${sheet.columns.join(', ')}. Specify the domain or the name column.`,
    )
  return found
}

const plain = (heading: string): string => heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

function free(sheet: Sheet, columns: SheetColumns): number[] {
  const taken = new Set(Object.values(columns))
  return [...sheet.columns.keys()].filter((index) => !taken.has(index))
}

function columnNamed({ columns }: Sheet, name: string): number {
  const index = columns.findIndex((column) => column.toLowerCase() === name.trim().toLowerCase())
  if (index === -1)
    throw new AppError(
      'unprocessable',
      `There is no column ${JSON.stringify(name)}. The columns are: ${columns.join(', ')}.`,
    )
  return index
}

function isDomainColumn({ rows }: Sheet, index: number): boolean {
  const values = rows
    .map(({ cells }) => (cells[index] as string).trim())
    .filter((value) => value !== '')
    .slice(0, SAMPLE)
  const domains = values.filter((value) => /^\S+\.\S+$/.test(value) && !value.includes('@'))
  if (domains.length < MOSTLY * values.length || domains.length === 0) return false
  return domains.length - normalizeDomains(domains).rejected.length >= MOSTLY * values.length
}
