import type { Dispatcher } from 'undici'
import { Agent } from 'undici'
import { AppError } from '../lib/errors.ts'
import type { Guard } from '../lib/guarded-agent.ts'
import { checkOutboundUrl, createGuardedAgent } from '../lib/guarded-agent.ts'

export interface ReceiverOptions {
  /** Accept http beside https. */
  allowHttp: boolean
  /** Accept addresses that are not public, and any port: for receivers on one's own network, and for demonstrations. */
  allowPrivate: boolean
  /** Ports that may be connected to. */
  ports: readonly number[]
  /** How host names are resolved; for tests. */
  resolve?: NonNullable<Guard['resolve']>
}

/** Where notifications may go. */
export interface Receivers extends AsyncDisposable {
  /** The address as a URL. Throws `unprocessable` with what is wrong with it. */
  check(address: string): URL
  /** Connects to what was checked, and to nothing else. */
  agent: Dispatcher
}

/** An address that is longer belongs to nobody. */
const MAX_URL_LENGTH = 2048

/** Opens the way to the clients' receivers: public addresses only, checked again when a connection is made, unless the settings say otherwise. */
export function openReceivers({ allowHttp, allowPrivate, ports, resolve }: ReceiverOptions): Receivers {
  const guard: Guard = { connectTo: [], ports: new Set(ports), ...(resolve && { resolve }) }
  const agent = allowPrivate
    ? new Agent({ connect: { timeout: 10_000 }, allowH2: false })
    : createGuardedAgent(guard, { pipelining: 0 })
  const check = (address: string): URL => {
    if (address.length > MAX_URL_LENGTH)
      throw new AppError('unprocessable', `callback_url is longer than ${MAX_URL_LENGTH} characters`)
    const url = allowPrivate ? plainUrl(address) : checkOutboundUrl(address, guard)
    if (url.protocol === 'http:' && !allowHttp)
      throw new AppError('unprocessable', `${url.origin} is not https; send an https address`)
    return url
  }
  return { check, agent, [Symbol.asyncDispose]: () => agent.destroy() }
}

function plainUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new AppError('unprocessable', 'callback_url is not an http or https address without a user name')
  return url
}
