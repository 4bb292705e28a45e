import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { buildConnector } from 'undici'
import { Agent, buildConnector as connectorOf } from 'undici'
import type { ConnectTo } from './connect-to.ts'
import { connectTarget } from './connect-to.ts'
import { AppError, messageOf } from './errors.ts'
import { isPublicAddress } from './public-address.ts'

/** Resolves a hostname to all of its addresses. */
export type Resolve = (hostname: string) => Promise<{ address: string }[]>

export interface Guard {
  /** Connection overrides by host. Non-public addresses are reachable only through an override. */
  connectTo: readonly ConnectTo[]
  /** Allowed ports. */
  ports: ReadonlySet<number>
  resolve?: Resolve
}

/**
 * Parses an untrusted URL. Throws `unprocessable` unless the URL uses http or https, has no credentials, uses an
 * allowed port and, if its host is an IP address, a public address.
 */
export function checkOutboundUrl(text: string, { connectTo, ports }: Guard): URL {
  if (!URL.canParse(text)) throw refusal(text, 'is not a URL')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refusal(text, 'is not http or https')
  if (url.username || url.password) throw refusal(url.origin, 'contains a user name or password')
  const port = portOf(url)
  if (connectTarget(connectTo, url.hostname, port)) return url
  if (!ports.has(port)) throw refusal(url.origin, `uses port ${port}; allowed ports are ${[...ports].join(', ')}`)
  const host = withoutBrackets(url.hostname)
  if (isIP(host) && !isPublicAddress(host)) throw refusal(url.origin, 'is not a public address')
  return url
}

/**
 * Creates an undici agent that connects only to public addresses. To prevent DNS rebinding, a hostname is resolved only
 * once, all resolved addresses must be public, and the agent connects to one of them. The agent also checks IP
 * literals, which bypass a lookup hook. Redirect targets must also be requested through the agent. `ca` replaces the
 * default certificate authorities (PEM). Throws `unprocessable`.
 */
export function createGuardedAgent(
  guard: Guard,
  options: Omit<Agent.Options, 'connect'> & { connectTimeout?: number; ca?: string[] | undefined } = {},
): Agent {
  const { connectTimeout = 10_000, ca, ...agentOptions } = options
  const connect = connectorOf({
    timeout: connectTimeout,
    allowH2: false,
    // All connections share one TLS context, because parsing hundreds of certificate authorities takes longer than
    // fetching a page.
    ...(ca && { secureContext: createSecureContext({ ca }) }),
  })
  return new Agent({
    ...agentOptions,
    allowH2: false,
    connect: (target, callback) => {
      checkedTargets(target, guard).then(
        (targets) => connectToFirst(connect, targets, callback),
        (error: unknown) => callback(error instanceof Error ? error : new Error(messageOf(error)), null),
      )
    },
  })
}

/**
 * Returns a connection's allowed targets as IP literals: the `connectTo` override or, without an override, the host's
 * public addresses.
 */
export async function checkedTargets(target: buildConnector.Options, guard: Guard): Promise<buildConnector.Options[]> {
  const host = withoutBrackets(target.hostname)
  const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
  // The TLS server name is still the requested host.
  const servername = target.servername ?? (isIP(host) ? undefined : host)
  const to = (address: string, toPort: number): buildConnector.Options => ({
    ...target,
    hostname: address,
    port: String(toPort),
    ...(servername && target.protocol === 'https:' && { servername }),
  })
  const override = connectTarget(guard.connectTo, target.hostname, port)
  if (override) return [to(override.address, override.port)]
  if (!guard.ports.has(port)) throw refusal(`${host}:${port}`, 'is not an allowed port')
  const addresses = isIP(host) ? [host] : await resolveAll(host, guard.resolve ?? systemResolve)
  for (const address of addresses)
    if (!isPublicAddress(address))
      throw refusal(
        host,
        address === host ? 'is not a public address' : `resolves to ${address}, which is not a public address`,
      )
  return addresses.map((address) => to(address, port))
}

async function resolveAll(host: string, resolve: Resolve): Promise<string[]> {
  const answers = await resolve(host).catch((error: unknown) => {
    throw new AppError('upstream_failed', `${host} has no address: ${messageOf(error)}`, {
      cause: error,
      retryable: true,
    })
  })
  if (answers.length === 0) throw new AppError('upstream_failed', `${host} has no address`, { retryable: true })
  return answers.map(({ address }) => address)
}

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true })

/** Connects to the first reachable address, for example to an IPv4 address if IPv6 is unreachable. */
function connectToFirst(
  connect: buildConnector.connector,
  [first, ...rest]: buildConnector.Options[],
  callback: buildConnector.Callback,
): void {
  if (first)
    connect(first, (...result) => {
      if (result[0] && rest.length > 0) connectToFirst(connect, rest.slice(0, 2), callback)
      else callback(...result)
    })
}

const refusal = (what: string, why: string): AppError =>
  new AppError('unprocessable', `${what} ${why}; no request was sent`)

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80)

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')
