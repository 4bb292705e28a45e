import type { HostClient } from '../host/host-client.ts'
import type { Host } from '../host-profile/host.ts'
import type { OffsetPage } from '../walk/offset-walk.ts'
import { walkOffsets } from '../walk/offset-walk.ts'
import type { Raw } from '../warehouse/raw-record.ts'
import { isRaw } from '../warehouse/raw-record.ts'
import { isKey } from '../warehouse/record-key.ts'

/** An entry of the list. */
export interface ListEntry {
  member: Raw
  /** The company's fields that the list entry includes. */
  company: Raw
  /** The entry as received. */
  raw: Raw
}

/** The new entries of a page. */
export interface ListPage {
  /** By domain. */
  entries: ReadonlyMap<string, ListEntry>
  /** Entries without a usable domain. */
  rejected: readonly unknown[]
}

/**
 * The domains on the list, and whether the list is complete. Entries are processed page by page and not kept in memory.
 */
export interface PulledList {
  domains: Set<string>
  /** Number of entries without a usable domain. */
  rejected: number
  /** Why completeness could not be verified. Empty if the list is complete. */
  incomplete_reasons: string[]
}

type TakePage = (page: ListPage) => Promise<void>

/** Page sizes to try, because the interface does not define a maximum for the list. */
const LIMITS = [1000, 200, 50, 0]
/** Maximum attempts to pull a list that changes during the pull. */
export const MAX_PULLS = 3

export type ListReader = { client: Pick<HostClient, 'tal'>; host: Host; signal: AbortSignal }

/**
 * Pulls the list and passes the new entries of each page to `takePage`. Pulls a paged list again if it changes during
 * the pull or its number of items differs from the reported total.
 */
export async function pullList(reader: ListReader, takePage: TakePage): Promise<PulledList> {
  const taken = new Set<string>()
  for (let attempt = 1; ; attempt += 1) {
    const { list, isPaged } = await pullOnce(reader, async (page) => {
      const entries = new Map([...page.entries].filter(([domain]) => !taken.has(domain)))
      for (const domain of entries.keys()) taken.add(domain)
      const rejected = attempt === 1 ? page.rejected : []
      if (entries.size + rejected.length > 0) await takePage({ entries, rejected })
    })
    if (list.incomplete_reasons.length === 0 || !isPaged || attempt === MAX_PULLS) return list
  }
}

async function pullOnce(
  { client, host, signal }: ListReader,
  takePage: TakePage,
): Promise<{ list: PulledList; isPaged: boolean }> {
  const list: PulledList = { domains: new Set(), rejected: 0, incomplete_reasons: [] }
  const walk = await walkOffsets(
    async (query) => {
      const { companies, total } = await client.tal.list(query, signal)
      return { items: companies, total }
    },
    async (page) => {
      const added = await newEntriesOf(host, list, page)
      if (added.entries.size + added.rejected.length === 0) return false
      list.rejected += added.rejected.length
      for (const domain of added.entries.keys()) list.domains.add(domain)
      await takePage(added)
      return true
    },
    {
      limits: limitsFrom(host.profile.limits.members, LIMITS),
      totals: host.profile.totals.members,
      keyOf: (entry) => (isRaw(entry) ? host.view('member', entry)['domain'] : undefined),
      name: 'the list',
      nouns: 'members',
    },
  )
  await host.learnTotals('members', walk.totals)
  await host.learnLimit('members', walk.limit)
  return { list: { ...list, incomplete_reasons: incompleteReasons(list, walk) }, isPaged: walk.isPaged }
}

/** Returns the page sizes to try: the known size, then smaller ones in case the host has lowered its maximum. */
export const limitsFrom = (known: number | undefined, limits: readonly number[]): number[] =>
  known === undefined ? [...limits] : [known, ...limits.filter((limit) => limit < known)]

function incompleteReasons(
  { domains, rejected }: PulledList,
  { incomplete_reasons, total, received }: Awaited<ReturnType<typeof walkOffsets>>,
): string[] {
  if (incomplete_reasons.length > 0) return incomplete_reasons
  const pulled = domains.size + rejected
  if (total !== undefined && total !== pulled)
    return [
      `the list has ${total} members, but ${pulled} were pulled: the list changed during the pull, or the total is wrong`,
    ]
  if (received !== pulled) return ['a member appeared twice in the list, because the list changed during the pull']
  return []
}

/** Returns the entries not seen on earlier pages. Entries without a domain are always treated as new. */
async function newEntriesOf(host: Host, { domains }: PulledList, page: OffsetPage): Promise<ListPage> {
  const entries = new Map<string, ListEntry>()
  const rejected: unknown[] = []
  const members = await host.translate('member', page.items)
  for (const [index, member] of members.entries()) {
    const raw = page.items[index]
    const domain = isRaw(member) ? member['domain'] : undefined
    if (!isRaw(raw) || !isRaw(member) || !isKey(domain)) rejected.push(raw)
    else if (!domains.has(domain)) entries.set(domain, { member, company: host.view('company', raw), raw })
  }
  return { entries, rejected }
}
