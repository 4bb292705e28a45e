import { FIRM_FIELD_NAMES } from '../../src/contract/firm-fields.ts'
import { FIRM_PAGE_MAXIMUM } from '../../src/contract/firms.ts'
import { AppError } from '../../src/lib/errors.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { whenReachable } from '../runner/when-reachable.ts'
import type { Page } from '../walk/page.ts'
import type { Walk } from '../walk/walks.ts'
import { saveFieldSet } from '../walk/walks.ts'
import { keyOf } from './firm-record.ts'

/** A record as received, with its key if it has a usable one. */
export interface FirmRecord {
  key: string | undefined
  record: unknown
}

/** Fetches the page of firms below a key, or the first page. */
export type FetchFirms = (below: string | null) => Promise<Page<FirmRecord>>

/** Field sets to request, largest first. The last one is all that the interface guarantees. */
export const FIELD_SETS = {
  all: [...FIRM_FIELD_NAMES, 'as_of'],
  typed: FIRM_FIELD_NAMES,
  promised: ['legal_name', 'sec_number', 'aum_total_usd', 'region'],
} as const satisfies Record<string, readonly string[]>
export type FieldSet = keyof typeof FIELD_SETS

/** Detects which field set the service accepts, unless the walk has stored it, and fetches pages with it. */
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
      context.log.info({ fields: name }, 'the service rejected this field set; trying a smaller one')
      return undefined
    })
    if (!first) continue
    await whenReachable(() => saveFieldSet(context.warehouse.db, walk.id, name))
    return startingWith(first, fetch)
  }
  throw new Error('unreachable: the last field set succeeds or throws')
}

const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'invalid_request' || error.code === 'unprocessable')

/** Reuses the page of the detection as the walk's first page. */
function startingWith(first: Page<FirmRecord>, fetch: FetchFirms): FetchFirms {
  let unused: Page<FirmRecord> | undefined = first
  return async (below) => {
    const page = below === null ? unused : undefined
    unused = undefined
    return page ?? (await fetch(below))
  }
}
