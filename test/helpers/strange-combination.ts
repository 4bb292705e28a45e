import type { Dialect } from './strange-dialect.ts'
import type { Random } from './strange-growth.ts'
import type { StrangeBehavior } from './strange-world.ts'

/** Variations of a host, each chosen independently. */
export interface Combination {
  behavior: StrangeBehavior
  /** Whether records have `history_at` and `updated_at`. */
  reportsHistory: boolean
  /** Whether one record has a value that its column cannot store. */
  hasMisfit: boolean
  /** Whether members are removed and added while a list is read. */
  churns: boolean
  /** Share of requests that fail once. */
  faults: number
  /** Whether the host responds to one nightly run with 429 and a Retry-After of one day. */
  longWait: boolean
}

const EVENT_NAMES = [
  { id: 'event_id', field: 'attribute', old_value: 'from', new_value: 'to', changed_at: 'timestamp' },
  { field: 'property', old_value: 'before', new_value: 'after', changed_at: 'occurred_at', source: 'origin' },
  { field: 'fieldName', old_value: 'oldValue', new_value: 'newValue', changed_at: 'changedAt' },
]
const WORDS = {
  completed: 'SUCCEEDED',
  running: 'in-progress',
  queued: 'waiting',
  complete: 'Enriched',
  none: 'never',
  pending: 'processing',
}

/** Every single variation, with a name. */
export const VARIATIONS: Readonly<Record<string, Partial<Combination>>> = {
  'a list in pages of 7 by offset': { behavior: { list: { pageSize: 7, honorsOffset: true, honorsLimit: true } } },
  'a list that echoes the limit and counts the page': {
    behavior: { list: { pageSize: 5, honorsOffset: true, honorsLimit: true, echoes: true, total: 'page' } },
  },
  'a list that rejects limits above 5': {
    behavior: { list: { pageSize: 50, honorsOffset: true, honorsLimit: true, rejectsLargeLimits: true, total: true } },
  },
  'a list in pages of 4 by cursor that changes during a pull': {
    churns: true,
    behavior: { list: { pageSize: 4, cursors: true, total: true } },
  },
  'people in pages of 2 by offset': { behavior: { persons: { pageSize: 2, honorsOffset: true } } },
  'people in pages of 3 that count the page': {
    behavior: { persons: { pageSize: 3, honorsOffset: true, total: 'page' } },
  },
  'histories in pages of 2, oldest first': { behavior: { history: { pageSize: 2, oldestFirst: true } } },
  'histories in pages of 3 that count the page': { behavior: { history: { pageSize: 3, total: 'page' } } },
  'histories with totals, without ids': { behavior: { history: { total: true, withoutIds: true } } },
  'firms in pages of 20, with the interface’s fields only': {
    behavior: { firms: { pageSize: 20, onlyPromised: true } },
  },
  'other names of event fields': {
    behavior: { dialect: { names: { event: EVENT_NAMES[0] as Record<string, string> } } },
  },
  'names in camel case': {
    behavior: { dialect: { names: { company: 'camelCase', person: 'camelCase', event: 'camelCase' } } },
  },
  'other names of records': {
    behavior: {
      dialect: {
        names: {
          company: {
            name: 'company_name',
            employee_count: 'headcount',
            enrichment_status: 'status',
            enriched_at: 'last_enriched_at',
          },
          person: { full_name: 'name', title: 'job_title', email: 'email_address' },
          signal: { headline: 'title', type: 'category', date: 'published_at' },
        },
      },
    },
  },
  'other status words': { behavior: { dialect: { names: {}, words: WORDS } } },
  'times in seconds': { behavior: { dialect: { names: {}, times: 'seconds' } } },
  'times with an offset': { behavior: { dialect: { names: {}, times: 'offset' } } },
  'unknown fields': { behavior: { dialect: { names: {}, more: { score: 7, labels: ['a'] } } } },
  'a clock 15 minutes ahead': { behavior: { clockAheadMs: 15 * 60_000 } },
  'a clock 15 minutes behind': { behavior: { clockAheadMs: -15 * 60_000 } },
  'submissions booked after a 504': { behavior: { booksLateMs: 100 } },
  'results hidden while tasks run': { behavior: { hidesRunningResults: true } },
  'records that report their history': { reportsHistory: true },
  'a record that does not fit': { hasMisfit: true },
  'members that come and go during a pull': {
    churns: true,
    behavior: { list: { pageSize: 4, honorsOffset: true, honorsLimit: true } },
  },
  'failing requests': { faults: 0.05 },
  'a wait of a day': { longWait: true },
}

/** Returns a random combination of all variations. */
export function combine(random: Random): Combination {
  const one = <Item>(...items: Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const often = (share: number): boolean => random() < share
  const total = (): boolean | 'page' => one<boolean | 'page'>(false, true, 'page')
  const dialect: Dialect = {
    names: {
      ...(often(0.6) && { event: one<'camelCase' | Record<string, string>>('camelCase', ...EVENT_NAMES) }),
      ...(often(0.3) && { company: 'camelCase' as const }),
      ...(often(0.3) && { person: { full_name: 'name', title: 'job_title' } }),
    },
    ...(often(0.4) && { words: WORDS }),
    ...(often(0.5) && { times: one('seconds', 'milliseconds', 'offset', 'http') }),
    ...(often(0.3) && { more: { score: 7 } }),
  }
  const clock = one(0, 0, 15, -15) * 60_000
  return {
    behavior: {
      ...(often(0.7) && {
        list: {
          ...paging(one(3, 4, 7, 10, 50), often(0.8), total()),
          honorsLimit: often(0.8),
          echoes: often(0.4),
          rejectsLargeLimits: often(0.2),
        },
      }),
      ...(often(0.6) && { persons: paging(one(2, 3, 5, 200), often(0.7), total()) }),
      ...(often(0.6) && {
        history: { pageSize: one(2, 3, 50), oldestFirst: often(0.5), total: total(), withoutIds: often(0.3) },
      }),
      ...(often(0.5) && { firms: { pageSize: one(10, 20, 50), onlyPromised: often(0.5) } }),
      dialect,
      clockAheadMs: clock,
      ...(often(0.15) && { booksLateMs: 100 }),
      hidesRunningResults: often(0.3),
      forgetsTasks: often(0.05),
    },
    reportsHistory: often(0.4),
    hasMisfit: often(0.1),
    churns: often(0.2),
    faults: often(0.4) ? 0.03 : 0,
    longWait: often(0.1),
  }
}

/** Without an offset and a total, only a common page size indicates that a list may have been truncated. */
const paging = (pageSize: number, honorsOffset: boolean, total: boolean | 'page') => ({
  pageSize: honorsOffset || total === true ? pageSize : 10,
  honorsOffset,
  total,
})
