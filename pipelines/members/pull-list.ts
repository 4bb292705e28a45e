import type { Client } from '../../src/client/index.ts'
import type { AnyCompanies } from '../../src/client/records.ts'
import { isKey } from '../warehouse/record-key.ts'
import type { Raw } from './read-row.ts'
import { isRaw } from './read-row.ts'

/** What a page of the list holds that no page before it held. */
export interface ListPage {
  /** By domain, as the service gives it. */
  entries: ReadonlyMap<string, Raw>
  /** Entries that are no objects with a domain. */
  rejected: readonly unknown[]
}

/** Who is on the list, and whether that is all. Entries are handed on page by page: a long list is never held as a whole. */
export interface PulledList {
  domains: Set<string>
  /** How many entries are no objects with a domain. */
  rejected: number
  /** What speaks against completeness, in sentences. None: it is proved. */
  incomplete_reasons: string[]
}

type TakePage = (page: ListPage) => Promise<void>

const PAGE = 1000
/** Where a host knows no `offset`, one reply has to hold the list: the limit is doubled until it does. */
const LONGEST_REPLY = 1_024_000

/** A list that changed while it was pulled may hold still the next time. */
const LOOKS = 3

/**
 * Pulls the list, and gives what is new of each page to `takePage` before the next is asked for. A list that moves meanwhile, or whose total does
 * not agree, is pulled again: what is left in doubt after that is told. The interface gives the list no paging; talhouse's own service, and
 * others, know `limit`, `offset` and `total`. A host that echoes an offset is paged; another is asked for everything at once, with a limit
 * that grows until the reply is shorter than it.
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
    if (list.incomplete_reasons.length === 0 || !isPaged || look === LOOKS) return list
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

/** What is not on the list yet. Something that is no entry is counted each time: it has nothing to be known again by. */
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
/** Did the page hold anything new? */
type Take = (page: AnyCompanies) => Promise<boolean>

/**
 * Each page begins with the last entry of the page before. When another stands there, entries have moved, and one that was there throughout may have
 * slipped past: a total that agrees would not tell, for who left is counted among those pulled.
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
        `the page of the list at offset ${offset} held nothing new: the service sends the same page again`,
      )
      return
    }
    if (page.companies.length <= 1) break
  }
  const total = typeof page.total === 'number' ? page.total : undefined
  const pulled = list.domains.size + list.rejected
  if (total !== undefined && pulled !== total)
    list.incomplete_reasons.push(
      `the list has ${total} members, and ${pulled} were pulled: it changed meanwhile, or the total is wrong`,
    )
  else if (hasMoved) list.incomplete_reasons.push('the list changed while it was pulled')
}

const domainOf = (entry: unknown): unknown => (isRaw(entry) ? entry['domain'] : undefined)

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
      list.incomplete_reasons.push(`the list has ${limit} members or more, and the service does not page it`)
      return
    }
    const longer = await fetch({ limit: limit * 2 })
    if (longer.companies.length <= reply.companies.length) {
      // The service may know no limit at all, and this is the whole list; or it clamps, and it is not.
      if (typeof longer.total !== 'number' || longer.total > longer.companies.length)
        list.incomplete_reasons.push(
          `the service sends ${longer.companies.length} members at the most: whether there are more cannot be told`,
        )
      return
    }
    await take(longer)
    reply = longer
  }
  if (typeof reply.total === 'number' && reply.total !== list.domains.size)
    list.incomplete_reasons.push(`the list has ${reply.total} members, and ${list.domains.size} were pulled`)
}
