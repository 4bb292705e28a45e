import type { Dispatcher } from 'undici'
import { Agent } from 'undici'
import { AppError } from '../lib/errors.ts'
import type { Guard } from '../lib/guarded-agent.ts'
import { checkOutboundUrl, createGuardedAgent } from '../lib/guarded-agent.ts'

export interface ReceiverOptions {
  /** If true, accepts http in addition to https. */
  allowHttp: boolean
  /** If true, accepts private addresses and any port, for internal receivers and demonstrations. */
  allowPrivate: boolean
  /** Allowed ports. */
  ports: readonly number[]
  /** Replaces the resolver in tests. */
  resolve?: NonNullable<Guard['resolve']>
}

/** Checks clients' webhook receivers and connects to them. */
export interface Receivers extends AsyncDisposable {
  /** Parses a callback URL. Throws `unprocessable` with the reason. */
  check(address: string): URL
  /** Connects only to checked addresses. */
  agent: Dispatcher
}

const MAX_URL_LENGTH = 2048

/**
 * Creates connections to webhook receivers. Accepts only public addresses, unless the settings allow private addresses.
 * Addresses are checked again when connecting.
 */
export function openReceivers({ allowHttp, allowPrivate, ports, resolve }: ReceiverOptions): Receivers {
  const guard: Guard = { connectTo: [], ports: new Set(ports), ...(resolve && { resolve }) }
  const agent = allowPrivate
    ? new Agent({ connect: { timeout: 10_000 }, allowH2: false })
    : createGuardedAgent(guard, { pipelining: 0 })
  const check = (address: string): URL => {
    if (address.length > MAX_URL_LENGTH)
      throw new AppError('unprocessable', `callback_url exceeds ${MAX_URL_LENGTH} characters`)
    const url = allowPrivate ? plainUrl(address) : checkOutboundUrl(address, guard)
    if (url.protocol === 'http:' && !allowHttp)
      throw new AppError('unprocessable', `callback_url must use https: ${url.origin}`)
    return url
  }
  return { check, agent, [Symbol.asyncDispose]: () => agent.destroy() }
}

function plainUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new AppError('unprocessable', 'callback_url must be an http or https URL without credentials')
  return url
}
