import { LRUCache } from 'lru-cache'

/**
 * Cached counts of one version of the data, by canonical conditions. A page uses a cached count only if it reads the
 * same version.
 */
export interface CountMemo {
  /** -1 before the first count. */
  version(): number
  get(key: string): number | undefined
  set(version: number, key: string, count: number): void
}

/** Caches the most recently used counts. @default 10_000 of them, about 2 MB */
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
