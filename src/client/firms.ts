import type { Firm, FirmFieldName } from '../contract/firm-fields.ts'
import type { FirmPage as AnyFirmPage, FirmSummary } from '../contract/firms.ts'
import type { RequestOptions, Send } from './options.ts'
import type { Paged } from './paged.ts'
import { paged } from './paged.ts'

/** A firm with all fields; `items` contains the roster's other columns as filed, keyed by heading. */
export interface FirmData extends Firm {
  items: Record<string, string>
  /** Date of the first roster with these values. */
  as_of: string | null
}
export type FirmField = keyof FirmData

export interface FirmQueryInput<Field extends FirmField = FirmField> {
  /** @default all typed fields */
  select?: readonly Field[] | undefined
  /**
   * Conditions by field, such as `eq.NYRO` or `gte.1000000`. Several conditions on one field are combined with `and`.
   */
  filters?: { [Name in FirmFieldName]?: string | readonly string[] } | undefined
  /** `<field>.asc` or `<field>.desc`. */
  order?: `${FirmFieldName}.${'asc' | 'desc'}` | undefined
  /** Firms per page, at most 50. @default 25 */
  limit?: number | undefined
  /** `next_cursor` of the previous page. `select`, filters and order must be the same as for the previous page. */
  cursor?: string | undefined
}

export type FirmPage<Field extends FirmField = FirmFieldName> = Omit<AnyFirmPage, 'data'> & {
  data: Pick<FirmData, Field>[]
}

export interface FirmsClient {
  /** Selects, filters and orders firms. Iteration follows the cursor and works with any order. Free. */
  query<Field extends FirmField = FirmFieldName>(
    query?: FirmQueryInput<Field>,
    options?: RequestOptions,
  ): Paged<FirmPage<Field>, Pick<FirmData, Field>>
  /** Counts the matching firms and adds up their assets: in total, by state and by asset range. Free. */
  summary(query?: Pick<FirmQueryInput, 'filters'>, options?: RequestOptions): Promise<FirmSummary>
}

export const firmsClient = (send: Send): FirmsClient => ({
  query: <Field extends FirmField>(query: FirmQueryInput<Field> = {}, options?: RequestOptions) =>
    paged<FirmPage<Field>, Pick<FirmData, Field>, string>({
      fetch: (cursor = query.cursor) =>
        send({ method: 'POST', path: '/firms', body: { ...query, cursor }, repeatable: true }, options),
      items: ({ data }) => data,
      next: ({ next_cursor }) => next_cursor ?? undefined,
    }),
  summary: (query = {}, options) =>
    send({ method: 'POST', path: '/v2/firms/summary', body: query, repeatable: true }, options),
})
