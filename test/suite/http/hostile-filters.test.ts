import { expect, it } from 'vitest'
import { hostileFilters, readBesideHostile } from '../../chaos/hostile-readers.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'

// `npm run chaos -- hostile-filters` measures the reader's p99 with a whole roster.
it('accepts the most expensive filters and keeps serving another client', async () => {
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
}, 120_000)
