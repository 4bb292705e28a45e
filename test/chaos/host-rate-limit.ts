/**
 * `npm run chaos -- host-rate-limit`: three processes ask one host as fast as they may, first each by its own hostRateLimit, then by the shared one. Prints the requests
 * a second that the host saw. About 15 seconds.
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
  // A slow host: its answers overlap where nobody counts the requests of the others.
  setTimeout(() => reply.writeHead(request.url === '/robots.txt' ? 404 : 200).end('page'), 50)
})

async function ask(hostRateLimit: 'own' | 'shared'): Promise<{ rate: number; busiest: number }> {
  arrivals.length = 0
  const file = join(import.meta.dirname, 'processes/guest.ts')
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
// Turns are ten a second to the millisecond; what a busy machine delays may arrive with the next.
if ((rates['shared'] ?? 0) > PER_SECOND * 1.05) {
  console.log('FAILED: the host saw more than is allowed')
  process.exitCode = 1
}
