import type { AppDeps } from '../../src/http/deps.ts'
import { parseAddressList } from '../../src/lib/address-list.ts'

export type Edges = Pick<AppDeps, 'allowedHosts' | 'trustedProxies' | 'metrics'>

/** Any host, no proxy, and metrics for loopback. */
export const OPEN_EDGES: Edges = {
  allowedHosts: undefined,
  trustedProxies: () => false,
  metrics: { readers: parseAddressList('readers', ['127.0.0.1']), token: undefined },
}

/** More invalid keys per minute than a test sends. */
export const UNLIMITED_KEYS = 1_000_000
