import type { Static } from 'typebox'
import { Type } from 'typebox'
import { COMPANY_FIELDS } from './companies.ts'
import { named } from './named.ts'
import { nullableInteger, nullableNumber, nullableText } from './nullable.ts'

/** Maximum size of an imported file in bytes. */
export const SHEET_BYTES_MAXIMUM = 10 * 1024 * 1024
/** Maximum number of rows per import. The limit is low because names are matched during the request. */
export const IMPORT_ROWS_MAXIMUM = 2000

/** Company fields that an export can include in addition to the domain. */
export const SHEET_FIELDS = [...COMPANY_FIELDS, 'in_formadv', 'enrichment_status', 'enriched_at'] as const
export type SheetField = (typeof SHEET_FIELDS)[number]
export const SHEET_FIELDS_DEFAULT: readonly SheetField[] = [
  'name',
  'industry',
  'employee_count',
  'headquarters_city',
  'headquarters_state',
  'headquarters_country',
  'social_url',
  'enrichment_status',
]

const columnName = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

export const TalImportQuery = Type.Object(
  {
    dry_run: Type.Boolean({ default: false, description: 'Match the rows without adding companies.' }),
    domain_column: columnName('Heading of the domain column. Default: detected by heading or values.'),
    name_column: columnName('Heading of the name column. Default: detected by heading.'),
    include_doubtful: Type.Boolean({ default: false, description: 'Add all doubtful rows as well.' }),
    doubtful_rows: Type.Optional(
      Type.String({
        pattern: '^\\d{1,7}(,\\d{1,7})*$',
        maxLength: 12_000,
        description: 'Comma-separated numbers of the doubtful rows to add as well.',
        examples: ['7,12'],
      }),
    ),
    source: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Tag for companies that are new on the list.' }),
    ),
  },
  { additionalProperties: false },
)
export type TalImportQuery = Static<typeof TalImportQuery>

const ROW_STATUSES = ['matched', 'doubtful', 'unknown', 'blank'] as const

/** The result for one row. */
export const TalImportRow = named(
  'TalImportRow',
  Type.Object({
    row: Type.Integer({ description: 'Row number in the file; the header row is row 1.' }),
    status: Type.Enum([...ROW_STATUSES], {
      description: '`doubtful` rows need review; `unknown` rows do not match a company; `blank` rows are empty.',
    }),
    given: nullableText(
      'Name and domain of the row, or otherwise its first values, as written in the file; null for a blank row.',
    ),
    domain: nullableText('Domain of the company; for a doubtful row, of the most likely company.'),
    likelihood: nullableNumber("Probability that this is the row's company; 1 if the row has a domain."),
    matched_name: nullableText('Name of the company, as stored.'),
    duplicate_of: nullableInteger('The earlier row with the same company.'),
    reason: nullableText('Why the row is not matched, or why it is invalid.'),
  }),
)
export type TalImportRow = Static<typeof TalImportRow>

export const TalImport = named(
  'TalImport',
  Type.Object({
    dry_run: Type.Boolean(),
    columns: Type.Record(Type.String(), Type.String(), {
      description: 'Heading of the column that each field was read from, such as `{"domain": "Website"}`.',
    }),
    attributes: Type.Array(Type.String(), { description: 'Columns stored as attributes of the list entries.' }),
    rows: Type.Integer({ description: 'Number of rows in the file: matched, doubtful, unknown and blank.' }),
    matched: Type.Integer(),
    doubtful: Type.Integer(),
    unknown: Type.Integer(),
    blank: Type.Integer(),
    duplicates: Type.Integer({ description: 'Matched rows that repeat the company of an earlier row.' }),
    added: Type.Integer({ description: 'Companies added to the list; 0 for a dry run.' }),
    updated: Type.Integer({ description: 'Number of listed companies whose attributes changed; 0 for a dry run.' }),
    results: Type.Array(TalImportRow, { description: 'One result per row, in the order of the file.' }),
  }),
)
export type TalImport = Static<typeof TalImport>

export const TalExportQuery = Type.Object(
  {
    fields: Type.Optional(
      Type.String({
        minLength: 1,
        description: `Comma-separated company fields: ${SHEET_FIELDS.join(', ')}. Default: ${SHEET_FIELDS_DEFAULT.join(',')}.`,
        examples: ['name,employee_count'],
      }),
    ),
    include_provenance: Type.Boolean({ default: false, description: 'Add the source and confidence of each field.' }),
  },
  { additionalProperties: false },
)
export type TalExportQuery = Static<typeof TalExportQuery>
