import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export type Slowness = 'silent' | 'slow headers' | 'slow body'

const OPENING: Record<Slowness, string> = {
  silent: '',
  'slow headers': 'GET /health/live HTTP/1.1\r\nHost: talhouse.example\r\n',
  'slow body':
    'POST /probe HTTP/1.1\r\nHost: talhouse.example\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
}

/** Opens a connection that sends a byte per second; returns the number of milliseconds until the server closes it. */
export async function dripBytes(url: string, slowness: Slowness): Promise<number> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
    .on('error', () => undefined)
    .resume()
  await once(socket, 'connect')
  const from = performance.now()
  const closed = once(socket, 'close').then(() => performance.now() - from)
  socket.write(OPENING[slowness])
  const dripping = setInterval(() => slowness !== 'silent' && socket.writable && socket.write('x'), 1_000)
  return await closed.finally(() => clearInterval(dripping))
}

/** Sends requests until aborted; returns the response times in milliseconds, ascending. */
export async function requestSteadily(url: string, signal: AbortSignal): Promise<number[]> {
  const times: number[] = []
  while (!signal.aborted) {
    const from = performance.now()
    const reply = await fetch(`${url}/health/ready`)
    await reply.text()
    if (reply.status !== 200) throw new Error(`/health/ready replied ${reply.status}`)
    times.push(performance.now() - from)
    await wait(5)
  }
  return times.sort((a, b) => a - b)
}

export const percentile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
