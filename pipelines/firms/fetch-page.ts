import { FIRM_FIELD_NAMES } from '../../src/contract/firm-fields.ts'
import { FIRM_PAGE_MAXIMUM } from '../../src/contract/firms.ts'
import { AppError } from '../../src/lib/errors.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { whenReachable } from '../runner/when-reachable.ts'
import type { Page } from '../walk/page.ts'
import type { Walk } from '../walk/walks.ts'
import { noteFieldSet } from '../walk/walks.ts'
import { keyOf } from './firm-record.ts'

/** A record as it came, with its key as far as it has one. */
export interface FirmRecord {
  key: string | undefined
  record: unknown
}

/** One page of firms below a key, or from the top. */
export type FetchFirms = (below: string | null) => Promise<Page<FirmRecord>>

/** What may be asked for, the most first. The last is all that the interface promises. */
export const FIELD_SETS = {
  all: [...FIRM_FIELD_NAMES, 'as_of'],
  typed: FIRM_FIELD_NAMES,
  promised: ['legal_name', 'sec_number', 'aum_total_usd', 'region'],
} as const satisfies Record<string, readonly string[]>
export type FieldSet = keyof typeof FIELD_SETS

/** Finds out which fields the service knows, unless the walk remembers, and fetches pages with those. */
export async function fetchFirms(context: RunContext, walk: Walk): Promise<FetchFirms> {
  const using = (name: FieldSet): FetchFirms => {
    const select = [...FIELD_SETS[name]]
    return async (below) => {
      const page = await context.client.firms.query(
        {
          select,
          order: 'sec_number.desc',
          limit: FIRM_PAGE_MAXIMUM,
          ...(below !== null && { filters: { sec_number: `lt.${below}` } }),
        },
        context.signal,
      )
      const records = page.data.map((record) => ({ key: keyOf(record), record }))
      return { records, total: page.total_count, asOf: page.as_of ?? undefined }
    }
  }
  if (walk.field_set !== null) return using(walk.field_set as FieldSet)
  for (const name of Object.keys(FIELD_SETS) as FieldSet[]) {
    const fetch = using(name)
    const first = await fetch(null).catch((error: unknown) => {
      if (name === 'promised' || !isRefusal(error)) throw error
      context.log.info({ fields: name }, 'the service does not know all of these fields; asking for fewer')
      return undefined
    })
    if (!first) continue
    await whenReachable(() => noteFieldSet(context.warehouse.db, walk.id, name))
    return startingWith(first, fetch)
  }
  throw new Error('unreachable: the last set of fields answers or throws')
}

const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'invalid_request' || error.code === 'unprocessable')

/** The page that showed which fields are known is the walk's first one, and need not be asked for again. */
function startingWith(first: Page<FirmRecord>, fetch: FetchFirms): FetchFirms {
  let unused: Page<FirmRecord> | undefined = first
  return async (below) => {
    const page = below === null ? unused : undefined
    unused = undefined
    return page ?? (await fetch(below))
  }
}
