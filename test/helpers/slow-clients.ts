import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export type Slowness = 'says nothing' | 'dribbles headers' | 'dribbles a body'

const OPENING: Record<Slowness, string> = {
  'says nothing': '',
  'dribbles headers': 'GET /health/live HTTP/1.1\r\nHost: talhouse.example\r\n',
  'dribbles a body':
    'POST /probe HTTP/1.1\r\nHost: talhouse.example\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
}

/** Opens a connection that sends a byte a second, and tells after how many milliseconds it was cut. */
export async function dripBytes(url: string, slowness: Slowness): Promise<number> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
    .on('error', () => undefined)
    .resume()
  await once(socket, 'connect')
  const from = performance.now()
  const closed = once(socket, 'close').then(() => performance.now() - from)
  socket.write(OPENING[slowness])
  const dripping = setInterval(() => slowness !== 'says nothing' && socket.writable && socket.write('x'), 1_000)
  return await closed.finally(() => clearInterval(dripping))
}

/** Asks again and again until told to stop, and tells how many milliseconds each answer took, shortest first. */
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
