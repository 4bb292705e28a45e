import type { TalSubmissionReply } from '../contract/enrichment.ts'
import type {
  TalAdded,
  TalAddition,
  TalEntry,
  TalNewEntry,
  TalPage,
  TalQuery,
  TalRemoval,
  TalRemoved,
} from '../contract/tal.ts'
import type { SheetField, TalExportQuery, TalImport, TalImportQuery } from '../contract/tal-sheets.ts'
import type { EnrichTalInput } from './enrich.ts'
import { enrichTal } from './enrich.ts'
import type { Input } from './input.ts'
import type { CsvFile, PaidOptions, RequestOptions, Send } from './options.ts'
import type { Paged } from './paged.ts'
import { pagedByCursor } from './paged.ts'

export type TalInput = Omit<Input<TalQuery>, 'attribute'> & {
  /** Return only entries with this attribute, as `name:value`. */
  attribute?: string | undefined
}
export type TalAdditionInput = Omit<Input<TalAddition>, 'domains' | 'entries'> & {
  domains?: readonly string[] | undefined
  entries?: readonly TalNewEntry[] | undefined
}
export type TalRemovalInput = { [Field in keyof TalRemoval]: readonly string[] }

export type TalImportInput = Input<TalImportQuery>
export type TalExportInput = Omit<Input<TalExportQuery>, 'fields'> & {
  /** Company fields to write. */
  fields?: readonly SheetField[] | undefined
}

/** The caller's target account list. */
export interface TalClient {
  /**
   * The companies on the list, ordered by domain unless `order` is given. Iteration by domain follows the cursor. Free.
   */
  list(query?: TalInput, options?: RequestOptions): Paged<TalPage, TalEntry>
  /** Adds up to 10,000 domains or URLs, with attributes. Domains already on the list keep their tag. Free. */
  add(body: TalAdditionInput, options?: RequestOptions): Promise<TalAdded>
  /** Removes up to 10,000 domains from the list. The data of these companies is kept. Free. */
  remove(body: TalRemovalInput, options?: RequestOptions): Promise<TalRemoved>
  /**
   * Finds the company for each row of a CSV file and adds the company to the list, with the other columns as
   * attributes. With `dry_run`, returns the counts and rows without changing the list. At most 2,000 rows. Free.
   */
  import(file: CsvFile, query?: TalImportInput, options?: RequestOptions): Promise<TalImport>
  /** The list as CSV: the domain, the attributes and company fields. Free. */
  export(query?: TalExportInput, options?: RequestOptions): Promise<string>
  /** Enriches stale companies. Costs 1 unit per company. With `dry_run`, returns only the cost. */
  enrich(body?: EnrichTalInput, options?: PaidOptions): Promise<TalSubmissionReply>
}

const LIST = '/v2/clients/me/tal'
const PATH = `${LIST}/companies`

export const talClient = (send: Send): TalClient => ({
  list: ({ offset, cursor, ...query } = {}, options) =>
    pagedByCursor(
      { offset, cursor },
      (position) => send<TalPage>({ method: 'GET', path: PATH, query: { ...query, ...position } }, options),
      ({ companies }) => companies,
    ),
  add: (body, options) => send({ method: 'POST', path: PATH, body, repeatable: true }, options),
  remove: (body, options) => send({ method: 'DELETE', path: PATH, body, repeatable: true }, options),
  import: (csv, query = {}, options) =>
    send({ method: 'POST', path: `${LIST}/import`, query: { ...query }, csv, repeatable: true }, options),
  export: (query = {}, options) =>
    send({ method: 'GET', path: `${LIST}/export`, query: { ...query }, accept: 'csv' }, options),
  enrich: (body = {}, options) => enrichTal(send, body, options),
})
