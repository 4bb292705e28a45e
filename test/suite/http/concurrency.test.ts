import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { eventually } from '../../helpers/eventually.ts'
import { startService } from '../../helpers/service.ts'

it('serves other requests of a client whose calls wait for their results', async () => {
  // Without a worker, tasks never end.
  await using service = await startService({ plan: { units_per_period: 100 } })
  let ended = 0
  const waits = Array.from({ length: 9 }, async (_, index) => {
    const body = { domain: `wait-${index}.example` }
    const { status } = await service.call('POST', '/v2/enrich/company?wait=4', { body })
    ended += 1
    return status
  })
  await eventually('eight calls wait', async () => {
    const { rows } = await sql`select from task`.execute(service.db)
    return rows.length >= 8
  })
  expect((await service.call('GET', '/v2/usage')).status).toBe(200)
  expect(ended).toBe(0)
  expect(await Promise.all(waits)).toEqual(Array.from({ length: 9 }, () => 200))
})
