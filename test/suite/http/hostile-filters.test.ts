import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { hostileFilters, readBesideHostile } from '../../chaos/hostile-readers.ts'
import { eventually } from '../../helpers/eventually.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'

// `npm run chaos -- hostile-filters` measures the reader's p99 latency with a whole roster.
it('accepts the most expensive filters of one client and keeps serving another client', async () => {
  await using service = await startService()
  const firms = Array.from({ length: 200 }, (_, index) => ({
    crd_number: index + 1,
    sec_number: `801-${index + 1}`,
    legal_name: `${'aetoinsrhl '.repeat(20)}${index} LLC`,
    region: 'NYRO',
  }))
  await storeFirms(service.postgres, firms)
  expect((await service.call('POST', '/firms', { body: hostileFilters(1) })).status).toBe(200)
  const reader = await service.addCaller()
  const report = await readBesideHostile({
    url: service.url,
    hostileKey: service.key,
    readerKey: reader.key,
    hostile: 24,
    reads: 10,
    pause: 0,
  })
  expect(report.reads).toEqual({ 200: 10 })
  expect(Object.keys(report.hostile).filter((status) => !['200', '429'].includes(status))).toEqual([])
})

it('runs at most one expensive query per client and two in total, alongside cheap queries', async () => {
  await using service = await startService()
  const callers = [service, await service.addCaller(), await service.addCaller()]
  const reader = await service.addCaller()
  const waiting = async (): Promise<number> => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
    return rows.length
  }
  let connections = 0
  service.app.server.on('connection', () => {
    connections += 1
  })
  const replies: Promise<{ status: number }>[] = []
  const statuses = async () => (await Promise.all(replies)).map(({ status }) => status)
  // Queries that have started wait for the lock.
  await service.db.transaction().execute(async (trx) => {
    await sql`lock table firm in access exclusive mode`.execute(trx)
    for (const caller of callers)
      for (let seed = 0; seed < 6; seed += 1)
        replies.push(caller.call('POST', '/firms', { body: hostileFilters(seed) }))
    await eventually('all requests have arrived', async () => connections >= 18)
    await eventually('two run', async () => (await waiting()) === 2)
    replies.push(reader.call('POST', '/firms', { body: { filters: { region: 'eq.NYRO' } } }))
    await eventually('the cheap query runs', async () => (await waiting()) > 2)
    expect(await waiting()).toBe(3)
  })
  expect(await statuses()).toEqual(Array.from({ length: 19 }, () => 200))
})
