import { FIRM_PAGE_MAXIMUM } from '../../src/contract/firms.ts'
import { AppError, messageOf } from '../../src/lib/errors.ts'
import { packageVersion } from '../../src/lib/package-version.ts'
import { isDay } from '../../src/lib/timestamps.ts'
import { isRejectedRequest } from '../host/app-error.ts'
import type { Host } from '../host-profile/host.ts'
import type { FirmFieldSet } from '../host-profile/profile.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { whenReachable } from '../runner/when-reachable.ts'
import type { Page } from '../walk/page.ts'
import { isRaw } from '../warehouse/raw-record.ts'
import { uuidOf } from '../warehouse/rejected-record.ts'
import { keyOf } from './firm-record.ts'
import { FIELD_SETS, queryFirms } from './query-firms.ts'

/** A record with the interface's field names. `key` is undefined if the record has no usable key. */
export interface FirmRecord {
  key: string | undefined
  record: unknown
}

/** Fetches the page of firms below a key. `null` fetches the first page. */
export type FetchFirms = (below: string | null) => Promise<Page<FirmRecord>>

/** The first page, and a function that fetches pages with the same fields. */
export interface FirmPages {
  first: Page<FirmRecord>
  fetch: FetchFirms
}

/**
 * Detects the largest field set that the service accepts, and fetches the first page with that set. Throws if the
 * service rejects a set that it accepted before, because the omitted fields would be overwritten with null.
 */
export async function openFirms(context: RunContext, host: Host): Promise<FirmPages> {
  const using = (name: FirmFieldSet): FetchFirms => {
    const select = [...FIELD_SETS[name]]
    // Another release, other settings or other names can read the same data differently.
    const names = select.map((field) => host.nameOf('firm', field))
    const reading = [context.client.baseUrl, packageVersion(), context.settings.host, names]
    return async (below) => {
      const query = {
        select,
        order: 'sec_number.desc',
        limit: FIRM_PAGE_MAXIMUM,
        ...(below !== null && { filters: { sec_number: `lt.${below}` } }),
      }
      const page = await queryFirms({ ...context, host }, query)
      const records = page.data.map((record) => ({ key: keyOf(record), record }))
      const version = page.data_version ? uuidOf([page.data_version, reading]) : undefined
      return { records, total: page.total_count, asOf: page.as_of ?? newestDay(page.data), version }
    }
  }
  const { firm_fields: chosen } = context.settings.host
  const known = host.profile.firm_fields
  for (const name of chosen ? [chosen] : (Object.keys(FIELD_SETS) as FirmFieldSet[])) {
    const fetch = using(name)
    const first = await fetch(null).catch((error: unknown) => {
      if (!isRejectedRequest(error) || name === 'promised') throw error
      if (name === known) throw reduced(name, error)
      context.log.info({ fields: name }, 'the service rejected this field set; trying a smaller one')
      return undefined
    })
    if (!first) continue
    await whenReachable(() => host.learnFirmFields(name))
    return { first, fetch }
  }
  throw new Error('unreachable: the last field set succeeds or throws')
}

/** The latest `as_of` date of the records, for hosts that return no date with the page. */
function newestDay(records: readonly unknown[]): string | undefined {
  const days = records.map((record) => (isRaw(record) ? record['as_of'] : undefined))
  return days
    .filter((day): day is string => typeof day === 'string' && isDay(day))
    .toSorted()
    .at(-1)
}

const reduced = (name: FirmFieldSet, error: unknown): AppError =>
  new AppError(
    'upstream_failed',
    `The service rejects fields of firms that it accepted before: ${messageOf(error)} No firm was changed, because a smaller field set would delete stored values. If the service no longer has these fields, set pipelines.host.firm_fields to ${name === 'all' ? 'typed or promised' : 'promised'}.`,
    { cause: error },
  )

/** Returns the given page as the first page, so that it is not fetched twice. */
export function startingWith({ first, fetch }: FirmPages): FetchFirms {
  let unused: Page<FirmRecord> | undefined = first
  return async (below) => {
    const page = below === null ? unused : undefined
    unused = undefined
    return page ?? (await fetch(below))
  }
}
