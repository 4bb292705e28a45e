import { LRUCache } from 'lru-cache'

/**
 * Counts that are known for one version of the data, by canonical conditions. It saves a count, never decides one: the statement that reads a
 * page takes a remembered count only when the version it reads is the remembered one.
 */
export interface CountMemo {
  /** -1 before anything is known. */
  version(): number
  get(key: string): number | undefined
  set(version: number, key: string, count: number): void
}

/** Keeps the counts used last. @default 10_000 of them, about 2 MB */
export function createCountMemo(limit = 10_000): CountMemo {
  let version = -1
  const counts = new LRUCache<string, number>({ max: limit })
  return {
    version: () => version,
    get: (key) => counts.get(key),
    set(ofVersion, key, count) {
      if (ofVersion < version) return
      if (ofVersion > version) counts.clear()
      version = ofVersion
      counts.set(key, count)
    },
  }
}
