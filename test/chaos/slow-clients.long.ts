/**
 * `npm run chaos -- slow-clients`: opens 500 slow connections at once, and measures when each is closed and the latency
 * of other clients.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startService } from '../helpers/service.ts'
import type { Slowness } from '../helpers/slow-clients.ts'
import { dripBytes, percentile, requestSteadily } from '../helpers/slow-clients.ts'

const CLIENTS = 500
/** Duration of the baseline requests in seconds; long enough for a meaningful 99th percentile. */
const SECONDS_BEFORE = 5

it.each<[Slowness, number]>([
  ['silent', 7_000],
  ['slow headers', 7_000],
  ['slow body', 12_000],
])('closes 500 slow connections in time without doubling the latency of other clients: %s', async (slowness, most) => {
  await using service = await startService({
    routes: (app) => {
      app.post('/probe', { schema: { hide: true } }, () => ({}))
    },
  })
  const quiet = await requestSteadily(service.url, AbortSignal.timeout(SECONDS_BEFORE * 1_000))
  const done = new AbortController()
  const asking = requestSteadily(service.url, done.signal)
  const clients = Array.from({ length: CLIENTS }, () => dripBytes(service.url, slowness))
  const cut = await Promise.all(clients)
  await wait(100)
  done.abort()
  const beside = await asking

  const figures = { slowness, cutAfterMs: [Math.min(...cut), Math.max(...cut)].map(Math.round) }
  const p99 = { quiet: percentile(quiet, 0.99).toFixed(1), beside: percentile(beside, 0.99).toFixed(1) }
  console.log(JSON.stringify({ ...figures, p99 }))
  expect(Math.max(...cut)).toBeLessThan(most)
  expect(percentile(beside, 0.99)).toBeLessThan(2 * percentile(quiet, 0.99) + 5)
})
