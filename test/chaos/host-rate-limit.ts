/**
 * `npm run chaos -- host-rate-limit`: three processes crawl one host at full speed, first with a separate rate limit
 * per process, then with the shared limit. Prints the host's requests per second. Takes about 15 seconds.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { serveWeb } from '../helpers/web-server.ts'
import { openChaosDatabase } from './chaos-database.ts'

const PROCESSES = 3
const PER_SECOND = 10
const EACH = 15

await using chaos = await openChaosDatabase()
const arrivals: number[] = []
await using host = await serveWeb((request, reply) => {
  arrivals.push(performance.now())
  // The host responds slowly, so that requests from processes without a shared limit overlap.
  setTimeout(() => reply.writeHead(request.url === '/robots.txt' ? 404 : 200).end('page'), 50)
})

async function ask(hostRateLimit: 'own' | 'shared'): Promise<{ rate: number; busiest: number }> {
  arrivals.length = 0
  const file = join(import.meta.dirname, 'processes/crawler.ts')
  const guests = Array.from({ length: PROCESSES }, () =>
    spawn(process.execPath, [file, chaos.url, host.connectTo, hostRateLimit, String(PER_SECOND), String(EACH)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  await Promise.all(guests.map((guest) => once(guest.stdout, 'data')))
  const ended = guests.map((guest) => once(guest, 'exit'))
  for (const guest of guests) guest.stdin.end('go\n')
  await Promise.all(ended)
  const seconds = ((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / 1000
  const within = arrivals.map((at) => arrivals.filter((other) => other >= at && other < at + 1000).length)
  return { rate: (arrivals.length - 1) / seconds, busiest: Math.max(...within) }
}

const rates: Record<string, number> = {}
for (const hostRateLimit of ['own', 'shared'] as const) {
  const { rate, busiest } = await ask(hostRateLimit)
  rates[hostRateLimit] = rate
  console.log(
    `${hostRateLimit.padEnd(6)} hostRateLimit, ${PROCESSES} processes, ${PER_SECOND}/s allowed: ${rate.toFixed(1)} requests/s seen, ${busiest} in the busiest second`,
  )
}
// Slots are 100 ms apart; on a busy machine, a delayed request may arrive at the same time as the next one.
if ((rates['shared'] ?? 0) > PER_SECOND * 1.05) {
  console.log('FAILED: the host received more requests than allowed')
  process.exitCode = 1
}
