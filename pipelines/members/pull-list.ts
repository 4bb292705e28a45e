import type { HostClient } from '../host/host-client.ts'
import type { AnyCompanies } from '../host/replies.ts'
import { isKey } from '../warehouse/record-key.ts'
import { domainOf, walkList } from './list-paging.ts'
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

/** A list that changed during the pull is pulled again. */
const MAX_PULLS = 3

/**
 * Pulls the list and passes the new entries of each page to `takePage`. A paged list that changes during the pull, or does
 * not match its total, is pulled again.
 */
export async function pullList(
  client: Pick<HostClient, 'tal'>,
  signal: AbortSignal,
  takePage: TakePage,
): Promise<PulledList> {
  const taken = new Set<string>()
  for (let attempt = 1; ; attempt += 1) {
    const { list, isPaged } = await pullOnce(client, signal, async (page) => {
      const entries = new Map([...page.entries].filter(([domain]) => !taken.has(domain)))
      for (const domain of entries.keys()) taken.add(domain)
      const rejected = attempt === 1 ? page.rejected : []
      if (entries.size + rejected.length > 0) await takePage({ entries, rejected })
    })
    if (list.incomplete_reasons.length === 0 || !isPaged || attempt === MAX_PULLS) return list
  }
}

async function pullOnce(
  client: Pick<HostClient, 'tal'>,
  signal: AbortSignal,
  takePage: TakePage,
): Promise<{ list: PulledList; isPaged: boolean }> {
  const list: PulledList = { domains: new Set(), rejected: 0, incomplete_reasons: [] }
  const { isPaged, total, incomplete_reasons } = await walkList(
    (query) => client.tal.list(query, signal),
    async (page) => {
      const added = newEntriesOf(list, page)
      if (added.entries.size + added.rejected.length === 0) return false
      list.rejected += added.rejected.length
      for (const domain of added.entries.keys()) list.domains.add(domain)
      await takePage(added)
      return true
    },
  )
  const pulled = list.domains.size + list.rejected
  if (total !== undefined && total !== pulled && incomplete_reasons.length === 0)
    incomplete_reasons.push(
      `the list has ${total} members, but ${pulled} were pulled: it changed during the pull, or the total is wrong`,
    )
  return { list: { ...list, incomplete_reasons }, isPaged }
}

/** The entries not seen before. Entries without a domain cannot be recognized again and are counted each time. */
function newEntriesOf({ domains }: PulledList, page: AnyCompanies): ListPage {
  const entries = new Map<string, Raw>()
  const rejected: unknown[] = []
  for (const entry of page.companies) {
    const domain = domainOf(entry)
    if (!isRaw(entry) || !isKey(domain)) rejected.push(entry)
    else if (!domains.has(domain)) entries.set(domain, entry)
  }
  return { entries, rejected }
}
