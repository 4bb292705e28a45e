import type { Client } from '../../src/client/index.ts'
import type { AnyCompanies } from '../../src/client/records.ts'
import { isKey } from '../warehouse/record-key.ts'
import type { Raw } from './read-row.ts'
import { isRaw } from './read-row.ts'

/** The new entries of a page. */
export interface ListPage {
  /** By domain. */
  entries: ReadonlyMap<string, Raw>
  /** Entries without a usable domain. */
  rejected: readonly unknown[]
}

/** The domains on the list and the completeness proof. Entries are passed on page by page and not kept. */
export interface PulledList {
  domains: Set<string>
  /** Number of entries without a usable domain. */
  rejected: number
  /** Why completeness is not proved. Empty means that it is. */
  incomplete_reasons: string[]
}

type TakePage = (page: ListPage) => Promise<void>

const PAGE = 1000
/** Without `offset`, one reply must hold the list; the limit is doubled up to this number. */
const MAX_UNPAGED = 1_024_000

/** A list that changed during the pull is pulled again. */
const MAX_PULLS = 3

/**
 * Pulls the list and passes the new entries of each page to `takePage`. The interface defines no paging for the list. A
 * host that returns an `offset` is paged; any other is asked for all entries at once, with a growing limit. A list that
 * changes meanwhile, or does not match its total, is pulled again.
 */
export async function pullList(
  client: Pick<Client, 'tal'>,
  signal: AbortSignal,
  takePage: TakePage,
): Promise<PulledList> {
  const taken = new Set<string>()
  for (let look = 1; ; look += 1) {
    const { list, isPaged } = await pullOnce(client, signal, async (page) => {
      const entries = new Map([...page.entries].filter(([domain]) => !taken.has(domain)))
      for (const domain of entries.keys()) taken.add(domain)
      const rejected = look === 1 ? page.rejected : []
      if (entries.size + rejected.length > 0) await takePage({ entries, rejected })
    })
    if (list.incomplete_reasons.length === 0 || !isPaged || look === MAX_PULLS) return list
  }
}

async function pullOnce(
  client: Pick<Client, 'tal'>,
  signal: AbortSignal,
  takePage: TakePage,
): Promise<{ list: PulledList; isPaged: boolean }> {
  const list: PulledList = { domains: new Set(), rejected: 0, incomplete_reasons: [] }
  const take = async (page: AnyCompanies): Promise<boolean> => {
    const added = newOf(list, page)
    if (added.entries.size + added.rejected.length === 0) return false
    list.rejected += added.rejected.length
    for (const domain of added.entries.keys()) list.domains.add(domain)
    await takePage(added)
    return true
  }
  const fetch: Fetch = (query) => client.tal.list(query, signal)
  const first = await fetch({ limit: PAGE, offset: 0 })
  await take(first)
  const isPaged = typeof first.offset === 'number'
  await (isPaged ? pullPages : pullAtOnce)(list, first, fetch, take)
  return { list, isPaged }
}

/** The entries not seen before. Entries without a domain cannot be recognized again and are counted each time. */
function newOf({ domains }: PulledList, page: AnyCompanies): ListPage {
  const entries = new Map<string, Raw>()
  const rejected: unknown[] = []
  for (const entry of page.companies) {
    const domain = domainOf(entry)
    if (!isRaw(entry) || !isKey(domain)) rejected.push(entry)
    else if (!domains.has(domain)) entries.set(domain, entry)
  }
  return { entries, rejected }
}

type Fetch = (query: { limit: number; offset?: number }) => Promise<AnyCompanies>
/** Returns whether the page had new entries. */
type Take = (page: AnyCompanies) => Promise<boolean>

/**
 * Each page overlaps the previous one by one entry. If that entry differs, the list has shifted and an entry may have been
 * skipped. A matching total would not show it, because members that left are counted too.
 */
async function pullPages(list: PulledList, first: AnyCompanies, fetch: Fetch, take: Take): Promise<void> {
  let page = first
  let offset = 0
  let hasMoved = false
  while (page.companies.length > 0 && !isLast(page, offset)) {
    const last = page.companies.at(-1)
    offset += page.companies.length - 1
    page = await fetch({ limit: PAGE, offset })
    hasMoved ||= domainOf(page.companies[0]) !== domainOf(last)
    if (page.companies.length > 1 && !(await take(page))) {
      list.incomplete_reasons.push(
        `the page of the list at offset ${offset} has no new entries: the service repeats the same page`,
      )
      return
    }
    if (page.companies.length <= 1) break
  }
  const total = typeof page.total === 'number' ? page.total : undefined
  const pulled = list.domains.size + list.rejected
  if (total !== undefined && pulled !== total)
    list.incomplete_reasons.push(
      `the list has ${total} members, but ${pulled} were pulled: it changed during the pull, or the total is wrong`,
    )
  else if (hasMoved) list.incomplete_reasons.push('the list changed during the pull')
}

const domainOf = (entry: unknown): unknown => (isRaw(entry) ? entry['domain'] : undefined)

/** A short page ends the list only by the service's own limit or total: the service may have clamped the requested limit. */
function isLast(page: AnyCompanies, offset: number): boolean {
  if (typeof page.total === 'number') return offset + page.companies.length >= page.total
  const limit = typeof page.limit === 'number' ? page.limit : PAGE
  return page.companies.length < limit
}

async function pullAtOnce(list: PulledList, first: AnyCompanies, fetch: Fetch, take: Take): Promise<void> {
  let reply = first
  for (let limit = PAGE; reply.companies.length >= limit; limit *= 2) {
    if (limit >= MAX_UNPAGED) {
      list.incomplete_reasons.push(`the list has at least ${limit} members, and the service does not page it`)
      return
    }
    const longer = await fetch({ limit: limit * 2 })
    if (longer.companies.length <= reply.companies.length) {
      // The service may ignore the limit, and this is the whole list; or it clamps the limit.
      if (typeof longer.total !== 'number' || longer.total > longer.companies.length)
        list.incomplete_reasons.push(
          `the service returns at most ${longer.companies.length} members, so there may be more`,
        )
      return
    }
    await take(longer)
    reply = longer
  }
  if (typeof reply.total === 'number' && reply.total !== list.domains.size)
    list.incomplete_reasons.push(`the list has ${reply.total} members, but ${list.domains.size} were pulled`)
}
