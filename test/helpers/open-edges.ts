import type { AppDeps } from '../../src/http/deps.ts'
import { parseAddressList } from '../../src/lib/address-list.ts'

export type Edges = Pick<AppDeps, 'allowedHosts' | 'trustedProxies' | 'metrics'>

/** Settings that accept any host, trust no proxy, and serve metrics to loopback. */
export const OPEN_EDGES: Edges = {
  allowedHosts: undefined,
  trustedProxies: () => false,
  metrics: { readers: parseAddressList('readers', ['127.0.0.1']), token: undefined },
}

/** A limit on invalid keys per minute that no test reaches. */
export const UNLIMITED_KEYS = 1_000_000
