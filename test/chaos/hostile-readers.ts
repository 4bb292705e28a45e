import { setTimeout as wait } from 'node:timers/promises'

export interface HostileOptions {
  url: string
  /** API keys of two clients. */
  hostileKey: string
  readerKey: string
  /** Number of hostile requests in flight. */
  hostile: number
  /** Number of sequential reads by the other client. */
  reads: number
  /** Milliseconds between two reads. */
  pause: number
}

export interface HostileReport {
  /** Median latency of the other client's reads, in milliseconds. */
  p50: number
  p99: number
  slowest: number
  /** Number of responses by status. */
  reads: Record<number, number>
  hostile: Record<number, number>
}

/** Builds filters with the maximum number of conditions, each with the maximum number of wildcards. */
export function hostileFilters(seed: number): object {
  const pattern = (index: number) => {
    const letters = Array.from({ length: 10 }, (_, part) => 'etaoinsrhl'[(seed + index + part) % 10])
    return `ilike.%${letters.slice(1).join('%').padEnd(180, 'a')}`
  }
  const fields = ['legal_name', 'business_name', 'city', 'state', 'country']
  const each = (offset: number) => Array.from({ length: 20 }, (_, index) => pattern(offset + index))
  return { filters: Object.fromEntries(fields.map((field, index) => [field, each(index * 20)])), limit: 50 }
}

/** Reads as one client while another client sends expensive filters without pause. */
export async function readBesideHostile(options: HostileOptions): Promise<HostileReport> {
  const { url, hostile, reads, pause } = options
  const stop = new AbortController()
  const statuses: Record<'reads' | 'hostile', Record<number, number>> = { reads: {}, hostile: {} }
  const post = async (kind: 'reads' | 'hostile', key: string, body: object) => {
    const reply = await fetch(`${url}/firms`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await reply.arrayBuffer()
    statuses[kind][reply.status] = (statuses[kind][reply.status] ?? 0) + 1
    return reply.status
  }
  const attackers = Array.from({ length: hostile }, async (_, index) => {
    for (let round = 0; !stop.signal.aborted; round += 1)
      if ((await post('hostile', options.hostileKey, hostileFilters(index + round))) === 429) await wait(100)
  })
  const took: number[] = []
  for (let read = 0; read < reads; read += 1) {
    const started = performance.now()
    await post('reads', options.readerKey, { filters: { region: 'eq.NYRO' }, order: 'aum_total_usd.desc', limit: 25 })
    took.push(performance.now() - started)
    await wait(pause)
  }
  stop.abort()
  await Promise.all(attackers)
  took.sort((a, b) => a - b)
  const at = (share: number) => Math.round(took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0)
  return { p50: at(0.5), p99: at(0.99), slowest: at(1), ...statuses }
}
