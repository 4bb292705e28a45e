import { expect, it } from 'vitest'
import { createHostClient } from '../../../../pipelines/host/host-client.ts'
import { createRateBudget, memoryStore } from '../../../../pipelines/host/rate-budget.ts'

it('caps the pause of the shared rate budget after a Retry-After of one day, and reports the pause', async () => {
  const store = memoryStore({ perSecond: 1000, burst: 1 })
  const pauses: number[] = []
  const budget = createRateBudget({
    reserve: store.reserve,
    async pause(milliseconds) {
      pauses.push(milliseconds)
    },
  })
  await using client = createHostClient({
    baseUrl: 'http://127.0.0.1:1',
    apiKey: 'key',
    budget,
    fetch: async () => Response.json({ detail: 'slow down' }, { status: 429, headers: { 'retry-after': '86400' } }),
  })
  await expect(client.usage()).rejects.toThrow('slow down; Retry-After is 86400 s')
  expect(pauses).toEqual([120_000])
})
