import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { silentLog } from '../../../src/lib/logger.ts'
import type { Sample } from '../../../src/lib/metrics.ts'
import { measureStored } from '../../../src/lib/metrics.ts'

const gauges = {
  rows: { name: 'talhouse_rows', help: 'Rows.', labelNames: ['table'] },
  share: { name: 'talhouse_share', help: 'A share.' },
}

it('reads stored metrics once for concurrent and repeated scrapes', async () => {
  const registry = new Registry()
  let reads = 0
  const read = async (): Promise<Record<keyof typeof gauges, Sample[]>> => {
    reads += 1
    await new Promise((resolve) => setTimeout(resolve, 20))
    return { rows: [{ labels: { table: 'firm' }, value: 7 }], share: [] }
  }
  measureStored(registry, { database: 'service', gauges, read, log: silentLog })
  const [first, second] = await Promise.all([registry.metrics(), registry.metrics()])
  expect(first).toContain('talhouse_rows{table="firm"} 7')
  expect(first).toContain('talhouse_database_up{database="service"} 1')
  expect(first).not.toMatch(/^talhouse_share /m)
  expect(second).toBe(first)
  expect(await registry.metrics()).toBe(first)
  expect(reads).toBe(1)
})

it('omits the metrics of an unreadable database, and keeps the metrics of other databases', async () => {
  const registry = new Registry()
  const failing = () => Promise.reject(new Error('connection refused'))
  measureStored(registry, { database: 'warehouse', gauges: { rows: gauges.rows }, read: failing, log: silentLog })
  const read = async () => ({ share: [{ value: 0.5 }] })
  measureStored(registry, { database: 'service', gauges: { share: gauges.share }, read, log: silentLog })
  const text = await registry.metrics()
  expect(text).toContain('talhouse_database_up{database="warehouse"} 0')
  expect(text).toContain('talhouse_database_up{database="service"} 1')
  expect(text).toContain('talhouse_share 0.5')
  expect(text).not.toContain('talhouse_rows{')
})
