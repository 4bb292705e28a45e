import type { Client } from '../../src/client/index.ts'
import type { AnyCompanies } from '../../src/client/records.ts'
import type { Raw } from './read-row.ts'
import { isRaw } from './read-row.ts'

/** The whole list, each member once, and whether that is proved. */
export interface PulledList {
  /** By domain, as the service gives it. */
  members: Map<string, Raw>
  /** Entries that are no objects with a domain. */
  misfits: unknown[]
  /** What speaks against completeness, in sentences. None: it is proved. */
  doubts: string[]
}

const PAGE = 1000
/** Where a host knows no `offset`, one reply has to hold the list: the limit is doubled until it does. */
const LONGEST_REPLY = 1_024_000

/**
 * Pulls the list. The interface gives it no paging; talhouse's own service, and others, know `limit`, `offset` and `total`. A host that
 * echoes an offset is paged; another is asked for everything at once, with a limit that grows until the reply is shorter than it.
 */
export async function pullList(client: Client, signal: AbortSignal): Promise<PulledList> {
  const list: PulledList = { members: new Map(), misfits: [], doubts: [] }
  const first = await client.tal.list({ limit: PAGE, offset: 0 }, signal)
  take(list, first)
  if (typeof first.offset === 'number') await pullPages(client, list, first, signal)
  else await pullAtOnce(client, list, first, signal)
  return list
}

async function pullPages(client: Client, list: PulledList, first: AnyCompanies, signal: AbortSignal): Promise<void> {
  let page = first
  let offset = 0
  while (page.companies.length > 0 && !isLast(page, offset)) {
    offset += page.companies.length
    page = await client.tal.list({ limit: PAGE, offset }, signal)
    if (page.companies.length > 0 && !take(list, page)) {
      list.doubts.push(
        `the page of the list at offset ${offset} held nothing new: the service sends the same page again`,
      )
      return
    }
  }
  const total = typeof page.total === 'number' ? page.total : undefined
  const pulled = list.members.size + list.misfits.length
  if (total === undefined) return
  if (pulled !== total)
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

async function pullAtOnce(client: Client, list: PulledList, first: AnyCompanies, signal: AbortSignal): Promise<void> {
  let reply = first
  for (let limit = PAGE; reply.companies.length >= limit; limit *= 2) {
    if (limit >= LONGEST_REPLY) {
      list.doubts.push(`the list has ${limit} members or more, and the service does not page it`)
      return
    }
    const longer = await client.tal.list({ limit: limit * 2 }, signal)
    if (longer.companies.length <= reply.companies.length) {
      // The service may know no limit at all, and this is the whole list; or it clamps, and it is not.
      if (typeof longer.total !== 'number' || longer.total > longer.companies.length)
        list.doubts.push(
          `the service sends ${longer.companies.length} members at the most: whether there are more cannot be told`,
        )
      return
    }
    take(list, longer)
    reply = longer
  }
  if (typeof reply.total === 'number' && reply.total !== list.members.size)
    list.doubts.push(`the list has ${reply.total} members, and ${list.members.size} were pulled`)
}

/** Did the page hold anything new? */
function take(list: PulledList, page: AnyCompanies): boolean {
  const before = list.members.size + list.misfits.length
  for (const entry of page.companies) {
    const domain = isRaw(entry) ? entry['domain'] : undefined
    if (isRaw(entry) && typeof domain === 'string' && domain !== '') list.members.set(domain, entry)
    else list.misfits.push(entry)
  }
  return list.members.size + list.misfits.length > before
}
