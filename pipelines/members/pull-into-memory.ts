import type { ListEntry, ListReader } from './pull-list.ts'
import { pullList } from './pull-list.ts'

/** A pulled list whose domains are kept in memory. */
export interface PulledList {
  domains: ReadonlySet<string>
  /** Reasons that completeness could not be verified. Empty if the list is complete. */
  incomplete_reasons: string[]
}

/** Pulls the list for a comparison, and passes each new entry to `takeEntries` once. Writes no progress. */
export async function pullIntoMemory(
  reader: ListReader,
  takeEntries: (entries: ReadonlyMap<string, ListEntry>) => Promise<void>,
): Promise<PulledList> {
  const taken = new Set<string>()
  let domains = new Set<string>()
  const incomplete_reasons = await pullList(reader, {
    async take({ entries }) {
      const before = domains.size
      for (const domain of entries.keys()) domains.add(domain)
      const added = new Map([...entries].filter(([domain]) => !taken.has(domain)))
      for (const domain of added.keys()) taken.add(domain)
      if (added.size > 0) await takeEntries(added)
      return domains.size - before
    },
    count: async () => domains.size,
    async restart() {
      domains = new Set()
    },
  })
  return { domains, incomplete_reasons }
}
