import { expect, it } from 'vitest'
import { startService } from '../../helpers/service.ts'
import type { Slowness } from '../../helpers/slow-clients.ts'
import { dripBytes } from '../../helpers/slow-clients.ts'

// This test opens a few connections; `npm run chaos -- slow-clients` keeps 500 connections open and measures the
// latency of other clients.
it.each<[Slowness, number]>([
  ['silent', 4_500],
  ['slow headers', 4_500],
  ['slow body', 8_500],
])('closes the connection of a slow client: %s', { concurrent: true }, async (slowness, least) => {
  await using service = await startService({
    routes: (app) => {
      app.post('/probe', { schema: { hide: true } }, () => ({}))
    },
  })
  const cut = await Promise.all([1, 2, 3].map(() => dripBytes(service.url, slowness)))
  expect(Math.min(...cut)).toBeGreaterThan(least)
})
