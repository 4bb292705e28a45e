import type { HostClient } from '../host/host-client.ts'
import type { Host } from '../host-profile/host.ts'
import type { CursorPosition, ListWalk, WalkPage } from '../walk/list-walk.ts'
import { walkList } from '../walk/walk-list.ts'
import type { Raw } from '../warehouse/raw-record.ts'
import { isRaw } from '../warehouse/raw-record.ts'
import { isKey } from '../warehouse/record-key.ts'

/** An entry in the list. */
export interface ListEntry {
  member: Raw
  /** The company's fields that the list entry includes. */
  company: Raw
  /** The entry as received. */
  raw: Raw
}

export interface ListPage {
  /** By domain. */
  entries: ReadonlyMap<string, ListEntry>
  /** Entries without a usable domain. */
  rejected: readonly unknown[]
}

/** The position at which another run can resume a pull. */
export interface Checkpoint extends CursorPosition {
  /** Number of entries without a usable domain so far. */
  rejected: number
}

/** Processes the pages of a pull and remembers the domains received in each attempt. */
export interface ListReceiver {
  /**
   * Processes a page. `checkpoint` is the position after it, if the pull can be resumed there. Returns the number of
   * domains that are new in this attempt.
   */
  take(page: ListPage, checkpoint: Checkpoint | undefined): Promise<number>
  /** Number of distinct domains in this attempt. */
  count(): Promise<number>
  /** Whether a live member is missing from this attempt. Absent if members are not marked as gone. */
  hasMissing?(): Promise<boolean>
  /** Starts another attempt. */
  restart(): Promise<void>
}

/** Page sizes to try, because the interface does not define a maximum for the list. */
const LIMITS = [1000, 200, 50, 0]
/** Maximum attempts to pull a list that changes during the pull. */
export const MAX_PULLS = 3

export type ListReader = { client: Pick<HostClient, 'tal'>; host: Host; signal: AbortSignal }

/**
 * Pulls the list and passes its pages to the receiver. Pulls a paged list again if it changes during the pull or its
 * number of items differs from the reported total. Returns the reasons that completeness could not be verified; empty
 * if the list is complete.
 */
export async function pullList(reader: ListReader, receiver: ListReceiver, from?: Checkpoint): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    const isFirst = attempt === 1
    const { walk, reasons } = await pullOnce(reader, receiver, isFirst ? from : undefined)
    const isVerified = reasons.length === 0 && !(isFirst && walk.mayMissItems && (await receiver.hasMissing?.()))
    if (isVerified || !walk.isPaged || attempt === MAX_PULLS) return reasons
    await receiver.restart()
  }
}

async function pullOnce(
  { client, host, signal }: ListReader,
  receiver: ListReceiver,
  from: Checkpoint | undefined,
): Promise<{ walk: ListWalk; reasons: string[] }> {
  let rejected = from?.rejected ?? 0
  const walk = await walkList(
    async (query) => {
      const { companies, total, next_cursor: next } = await client.tal.list(query, signal)
      return { items: companies, total, next: typeof next === 'string' && next !== '' ? next : undefined }
    },
    async (received, next) => {
      const page = await readPage(host, received)
      rejected += page.rejected.length
      const added = await receiver.take(page, next && { ...next, rejected })
      return added + page.rejected.length > 0
    },
    {
      limits: limitsFrom(host.profile.limits.members, LIMITS),
      totals: host.profile.totals.members,
      keyOf: (entry) => (isRaw(entry) ? host.view('member', entry)['domain'] : undefined),
      name: 'the list',
      nouns: 'members',
      from,
    },
  )
  await host.learnTotals('members', walk.totals)
  await host.learnLimit('members', walk.limit)
  return { walk, reasons: incompleteReasons(walk, (await receiver.count()) + rejected) }
}

/** Returns the page sizes to try: the known size, then smaller ones in case the host has lowered its maximum. */
export const limitsFrom = (known: number | undefined, limits: readonly number[]): number[] =>
  known === undefined ? [...limits] : [known, ...limits.filter((limit) => limit < known)]

function incompleteReasons({ incomplete_reasons, total, received }: ListWalk, pulled: number): string[] {
  if (incomplete_reasons.length > 0) return incomplete_reasons
  if (total !== undefined && total !== pulled)
    return [
      `the list has ${total} members, but ${pulled} were pulled: the list changed during the pull, or the total is wrong`,
    ]
  if (received !== pulled) return ['a member appeared twice in the list, because the list changed during the pull']
  return []
}

async function readPage(host: Host, page: WalkPage): Promise<ListPage> {
  const entries = new Map<string, ListEntry>()
  const rejected: unknown[] = []
  const members = await host.translate('member', page.items)
  for (const [index, member] of members.entries()) {
    const raw = page.items[index]
    const domain = isRaw(member) ? member['domain'] : undefined
    if (!isRaw(raw) || !isRaw(member) || !isKey(domain)) rejected.push(raw)
    else entries.set(domain, { member, company: host.view('company', raw), raw })
  }
  return { entries, rejected }
}
