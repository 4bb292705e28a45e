import { expect, it } from 'vitest'
import { startService } from '../../helpers/service.ts'

it('responds 429 with Retry-After above a rate limit, and counts reads and submissions separately', async () => {
  await using service = await startService({ plan: { reads_per_minute: 3, submits_per_minute: 1 } })
  for (const left of [2, 1, 0]) {
    const reply = await service.call('GET', '/v2/usage')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('ratelimit-policy')).toBe('"read";q=3;w=60')
    expect(reply.headers.get('ratelimit')).toMatch(new RegExp(`^"read";r=${left};t=(60|[1-5]?\\d)$`))
  }
  const refused = await service.call('GET', '/v2/usage')
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'rate_limited', detail: expect.stringContaining('3 read') },
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.headers.get('ratelimit')).toMatch(/^"read";r=0;t=/)

  const submission = { body: { domain: 'acme.example' } }
  expect((await service.call('POST', '/v2/enrich/company', submission)).status).toBe(200)
  expect((await service.call('POST', '/v2/enrich/company', submission)).status).toBe(429)
  expect((await service.call('POST', '/firms', { body: {} })).status).toBe(429) // counts as a read, although it is a POST
  const other = await service.addCaller()
  expect((await other.call('GET', '/v2/usage')).status).toBe(200)
})
