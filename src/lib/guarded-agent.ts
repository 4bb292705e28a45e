import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { buildConnector } from 'undici'
import { Agent, buildConnector as connectorOf } from 'undici'
import type { ConnectTo } from './connect-to.ts'
import { connectTarget } from './connect-to.ts'
import { AppError, messageOf } from './errors.ts'
import { isPublicAddress } from './public-address.ts'

/** All addresses of a host name. The default asks the operating system. */
export type Resolve = (hostname: string) => Promise<{ address: string }[]>

export interface Guard {
  /** Sends some hosts elsewhere: the one sanctioned way to an address that is not public. */
  connectTo: readonly ConnectTo[]
  /** Ports that may be connected to. */
  ports: ReadonlySet<number>
  resolve?: Resolve
}

/**
 * Parses a URL that a stranger gave, and refuses what must never be requested: other schemes than http and https, user names in
 * the address, ports off the list, addresses that are not public in any spelling. Throws `unprocessable`.
 */
export function checkOutboundUrl(text: string, { connectTo, ports }: Guard): URL {
  if (!URL.canParse(text)) throw refusal(text, 'is not a URL')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refusal(text, 'is not http or https')
  if (url.username || url.password) throw refusal(url.origin, 'carries a user name or password')
  const port = portOf(url)
  if (connectTarget(connectTo, url.hostname, port)) return url
  if (!ports.has(port))
    throw refusal(url.origin, `asks for port ${port}, and only ${[...ports].join(', ')} may be used`)
  const host = withoutBrackets(url.hostname)
  if (isIP(host) && !isPublicAddress(host)) throw refusal(url.origin, 'is not a public address')
  return url
}

/**
 * An undici agent that connects to public addresses only. A name is resolved once, every answer must be public, and the
 * connection goes to an address that was checked: a second answer cannot replace it. Literal addresses are checked too, which a
 * lookup hook alone would miss. `ca`: the authorities trusted in place of the usual ones, in PEM form. Redirects are the caller's: each hop goes through here again. Refusals throw `unprocessable`.
 */
export function createGuardedAgent(
  guard: Guard,
  options: Omit<Agent.Options, 'connect'> & { connectTimeout?: number; ca?: string[] | undefined } = {},
): Agent {
  const { connectTimeout = 10_000, ca, ...agentOptions } = options
  const connect = connectorOf({
    timeout: connectTimeout,
    allowH2: false,
    // One for all connections: hundreds of authorities, parsed for each, would cost more than the page.
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

/** Where a connection may go: by `connectTo`, else to the addresses of its host, all of them public. IP literals from here on. */
export async function checkedTargets(target: buildConnector.Options, guard: Guard): Promise<buildConnector.Options[]> {
  const host = withoutBrackets(target.hostname)
  const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
  // TLS goes on speaking to the host that was asked for, wherever the connection leads.
  const servername = target.servername ?? (isIP(host) ? undefined : host)
  const to = (address: string, toPort: number): buildConnector.Options => ({
    ...target,
    hostname: address,
    port: String(toPort),
    ...(servername && target.protocol === 'https:' && { servername }),
  })
  const override = connectTarget(guard.connectTo, target.hostname, port)
  if (override) return [to(override.address, override.port)]
  if (!guard.ports.has(port)) throw refusal(`${host}:${port}`, 'is not a port that may be used')
  const addresses = isIP(host) ? [host] : await resolveAll(host, guard.resolve ?? systemResolve)
  for (const address of addresses)
    if (!isPublicAddress(address))
      throw refusal(
        host,
        address === host ? 'is not a public address' : `leads to ${address}, which is not a public address`,
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

/** A host with an unreachable IPv6 address is still reached by its next one. */
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
  new AppError('unprocessable', `${what} ${why}; it was not requested`)

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80)

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')
