import type { Dispatcher } from 'undici'
import { Pool } from 'undici'

export interface LoadResult {
  /** Requests per second. */
  perSecond: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
}

export interface LoadOptions {
  seconds: number
  /** Number of connections, each with one request at a time. */
  atOnce: number
  request: (turn: number) => Pick<Dispatcher.RequestOptions, 'method' | 'path' | 'headers' | 'body'>
}

/** Sends requests for the given time, one at a time per connection. Throws for any response other than 2xx. */
export async function loadHttp(url: string, { seconds, atOnce, request }: LoadOptions): Promise<LoadResult> {
  const pool = new Pool(url, { connections: atOnce })
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  let turn = 0
  const lane = async () => {
    while (performance.now() < until) {
      const asked = request(turn++)
      const from = performance.now()
      const { statusCode, body } = await pool.request(asked)
      const text = await body.text()
      if (statusCode >= 300) throw new Error(`${asked.method} ${asked.path}: ${statusCode} ${text}`)
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane)).finally(() => pool.close())
  return { perSecond: Math.round(times.length / seconds), ...percentiles(times) }
}

/** Returns the median and the 95th and 99th percentile in milliseconds. */
export function percentiles(times: readonly number[]): Omit<LoadResult, 'perSecond'> {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
