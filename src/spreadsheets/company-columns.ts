import type { Company, Provenance } from '../contract/companies.ts'
import type { SheetField } from '../contract/tal-sheets.ts'
import { SHEET_FIELDS, SHEET_FIELDS_DEFAULT } from '../contract/tal-sheets.ts'
import { AppError } from '../lib/errors.ts'

/** Company data that can be written to a sheet. */
export type SheetCompany = Pick<Company, 'domain' | SheetField | 'leadership' | 'signals'> & {
  provenance?: Provenance | undefined
}

/** An output column, and a function that returns its cell for a company. */
export interface CompanyColumn {
  heading: string
  cell: (company: SheetCompany) => string
}

export interface ColumnChoice {
  fields: readonly SheetField[]
  provenance: boolean
  leadership?: boolean
  signals?: boolean
}

/** Maximum number of people, and of stories, written per company. */
const LEADERS = 3
const STORIES = 3

/** Parses a comma-separated list of fields. Throws `invalid_request` for unknown fields. */
export function parseFields(text: string | undefined): readonly SheetField[] {
  if (text === undefined) return SHEET_FIELDS_DEFAULT
  const fields = text
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '')
  const unknown = fields.filter((field) => !SHEET_FIELDS.includes(field as SheetField))
  if (unknown.length > 0)
    throw new AppError('invalid_request', `Unknown field ${unknown.join(', ')}; use ${SHEET_FIELDS.join(', ')}.`)
  return [...new Set(fields)] as SheetField[]
}

export function companyColumns({ fields, provenance, leadership, signals }: ColumnChoice): CompanyColumn[] {
  const columns = fields.flatMap((field): CompanyColumn[] => [
    { heading: field, cell: (company) => text(company[field]) },
    ...(provenance && field !== 'enrichment_status' && field !== 'enriched_at' && field !== 'in_formadv'
      ? [
          { heading: `${field}_source`, cell: ({ provenance }: SheetCompany) => text(provenance?.[field]?.source) },
          {
            heading: `${field}_confidence`,
            cell: ({ provenance }: SheetCompany) => text(provenance?.[field]?.confidence),
          },
        ]
      : []),
  ])
  return [...columns, ...(leadership ? leaderColumns() : []), ...(signals ? signalColumns() : [])]
}

const leaderColumns = (): CompanyColumn[] =>
  Array.from({ length: LEADERS }, (_, place) =>
    (['full_name', 'title', 'email'] as const).map((field) => ({
      heading: `leader_${place + 1}_${field}`,
      cell: ({ leadership }: SheetCompany) => text(leadership?.[place]?.[field]),
    })),
  ).flat()

const signalColumns = (): CompanyColumn[] =>
  Array.from({ length: STORIES }, (_, place) =>
    (['date', 'type', 'headline'] as const).map((field) => ({
      heading: `signal_${place + 1}_${field}`,
      cell: ({ signals }: SheetCompany) => text(signals?.[place]?.[field]),
    })),
  ).flat()

const text = (value: string | number | boolean | null | undefined): string => (value == null ? '' : String(value))
