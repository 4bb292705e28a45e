import { normalizeDomains } from '../companies/normalize-domain.ts'
import type { MatchField } from '../contract/match.ts'
import { AppError } from '../lib/errors.ts'
import type { Sheet } from './read-sheet.ts'

/** The column of each match field, by index. */
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

/** Rows read to find a domain column by its values. */
const SAMPLE = 200
const MOSTLY = 0.6

/**
 * Finds the columns of domain, name, place and identifiers by their headings, and a domain column also by its values. Throws
 * `unprocessable` without a domain, name or identifier, and for a named column that does not exist.
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
      `No column has domains or company names. The columns are: ${sheet.columns.join(', ')}. Say which one is the domain or the name.`,
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
