import { expect, it } from 'vitest'
import { startService } from '../../helpers/service.ts'
import type { Slowness } from '../../helpers/slow-clients.ts'
import { dripBytes } from '../../helpers/slow-clients.ts'

// A small sample; `npm run chaos -- slow-clients` holds 500 connections open and measures the latency of others.
it.each<[Slowness, number, number]>([
  ['silent', 4_500, 10_000],
  ['slow headers', 4_500, 10_000],
  ['slow body', 8_500, 16_000],
])('cuts a client that %s', { concurrent: true, timeout: 30_000 }, async (slowness, least, most) => {
  await using service = await startService({
    routes: (app) => {
      app.post('/probe', { schema: { hide: true } }, () => ({}))
    },
  })
  const cut = await Promise.all([1, 2, 3].map(() => dripBytes(service.url, slowness)))
  expect(Math.min(...cut)).toBeGreaterThan(least)
  expect(Math.max(...cut)).toBeLessThan(most)
})
