import { execFileSync } from 'node:child_process'

/** The bridge's address, at which hosts reach the proxies and other servers. */
export const GATEWAY = '10.77.0.1'
const BRIDGE = 'thc-bridge'

/** A network namespace with a separate address. */
export interface Namespace {
  readonly name: string
  readonly address: string
}

/** Returns the reason that network namespaces cannot be created on this machine; undefined if they can. */
export function networkProblem(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  try {
    ip('netns', 'list')
    return undefined
  } catch {
    return 'the command ip is not installed (Debian: iproute2)'
  }
}

/** Creates a bridge and one namespace per host, and deletes them on disposal. */
export function createNetwork(count: number): { namespaces: Namespace[] } & Disposable {
  remove(count)
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('address', 'add', `${GATEWAY}/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  const namespaces = names(count).map((name, index) => {
    const address = `10.77.0.${11 + index}`
    ip('netns', 'add', name)
    ip('link', 'add', `${name}-out`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    ip('link', 'set', `${name}-out`, 'master', BRIDGE, 'up')
    ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0')
    ip('-n', name, 'link', 'set', 'eth0', 'up')
    ip('-n', name, 'link', 'set', 'lo', 'up')
    return { name, address }
  })
  return { namespaces, [Symbol.dispose]: () => remove(count) }
}

function remove(count: number): void {
  for (const name of names(count)) quietly('netns', 'delete', name)
  quietly('link', 'delete', BRIDGE)
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `thc-${index + 1}`)

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' })
}

/** Ignores errors, because the object may not exist. */
function quietly(...args: string[]): void {
  try {
    ip(...args)
  } catch {
    // It did not exist.
  }
}
