import type { Client } from '../../src/client/index.ts'
import type { AnyCompanies } from '../../src/client/records.ts'
import type { Raw } from './read-row.ts'
import { isRaw } from './read-row.ts'

/** What a page of the list holds that no page before it held. */
export interface ListPage {
  /** By domain, as the service gives it. */
  entries: ReadonlyMap<string, Raw>
  /** Entries that are no objects with a domain. */
  misfits: readonly unknown[]
}

/** Who is on the list, and whether that is all. Entries are handed on page by page: a long list is never held as a whole. */
export interface PulledList {
  domains: Set<string>
  /** How many entries are no objects with a domain. */
  misfits: number
  /** What speaks against completeness, in sentences. None: it is proved. */
  doubts: string[]
}

type TakePage = (page: ListPage) => Promise<void>

const PAGE = 1000
/** Where a host knows no `offset`, one reply has to hold the list: the limit is doubled until it does. */
const LONGEST_REPLY = 1_024_000

/**
 * Pulls the list, and gives each page to `takePage` before the next is asked for. The interface gives it no paging; talhouse's own service, and others, know `limit`, `offset` and `total`. A host that
 * echoes an offset is paged; another is asked for everything at once, with a limit that grows until the reply is shorter than it.
 */
export async function pullList(client: Client, signal: AbortSignal, takePage: TakePage): Promise<PulledList> {
  const list: PulledList = { domains: new Set(), misfits: 0, doubts: [] }
  const take = async (page: AnyCompanies): Promise<boolean> => {
    const added = newOf(list, page)
    if (added.entries.size + added.misfits.length === 0) return false
    list.misfits += added.misfits.length
    for (const domain of added.entries.keys()) list.domains.add(domain)
    await takePage(added)
    return true
  }
  const first = await client.tal.list({ limit: PAGE, offset: 0 }, signal)
  await take(first)
  const fetch = (query: { limit: number; offset?: number }): Promise<AnyCompanies> => client.tal.list(query, signal)
  await (typeof first.offset === 'number' ? pullPages : pullAtOnce)(list, first, fetch, take)
  return list
}

/** What is not on the list yet. Something that is no entry is counted each time: it has nothing to be known again by. */
function newOf({ domains }: PulledList, page: AnyCompanies): ListPage {
  const entries = new Map<string, Raw>()
  const misfits: unknown[] = []
  for (const entry of page.companies) {
    const domain = isRaw(entry) ? entry['domain'] : undefined
    if (!isRaw(entry) || typeof domain !== 'string' || domain === '') misfits.push(entry)
    else if (!domains.has(domain)) entries.set(domain, entry)
  }
  return { entries, misfits }
}

type Fetch = (query: { limit: number; offset?: number }) => Promise<AnyCompanies>
/** Did the page hold anything new? */
type Take = (page: AnyCompanies) => Promise<boolean>

async function pullPages(list: PulledList, first: AnyCompanies, fetch: Fetch, take: Take): Promise<void> {
  let page = first
  let offset = 0
  while (page.companies.length > 0 && !isLast(page, offset)) {
    offset += page.companies.length
    page = await fetch({ limit: PAGE, offset })
    if (page.companies.length > 0 && !(await take(page))) {
      list.doubts.push(
        `the page of the list at offset ${offset} held nothing new: the service sends the same page again`,
      )
      return
    }
  }
  const total = typeof page.total === 'number' ? page.total : undefined
  const pulled = list.domains.size + list.misfits
  if (total !== undefined && pulled !== total)
    list.doubts.push(
      `the list has ${total} members, and ${pulled} were pulled: it changed meanwhile, or the total is wrong`,
    )
}

/** A page that the service cut below what was asked for says nothing: only its own limit, its total or an empty page do. */
function isLast(page: AnyCompanies, offset: number): boolean {
  if (typeof page.total === 'number') return offset + page.companies.length >= page.total
  const limit = typeof page.limit === 'number' ? page.limit : PAGE
  return page.companies.length < limit
}

async function pullAtOnce(list: PulledList, first: AnyCompanies, fetch: Fetch, take: Take): Promise<void> {
  let reply = first
  for (let limit = PAGE; reply.companies.length >= limit; limit *= 2) {
    if (limit >= LONGEST_REPLY) {
      list.doubts.push(`the list has ${limit} members or more, and the service does not page it`)
      return
    }
    const longer = await fetch({ limit: limit * 2 })
    if (longer.companies.length <= reply.companies.length) {
      // The service may know no limit at all, and this is the whole list; or it clamps, and it is not.
      if (typeof longer.total !== 'number' || longer.total > longer.companies.length)
        list.doubts.push(
          `the service sends ${longer.companies.length} members at the most: whether there are more cannot be told`,
        )
      return
    }
    await take(longer)
    reply = longer
  }
  if (typeof reply.total === 'number' && reply.total !== list.domains.size)
    list.doubts.push(`the list has ${reply.total} members, and ${list.domains.size} were pulled`)
}
