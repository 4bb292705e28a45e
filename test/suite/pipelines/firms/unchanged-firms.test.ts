import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { EMPTY_PROFILE } from '../../../../pipelines/host-profile/profile.ts'
import type { FirmHost } from '../../../helpers/firm-host.ts'
import { startFirmHost } from '../../../helpers/firm-host.ts'
import { generateFirms, inventFirm } from '../../../helpers/invented-firms.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { firmContents, pipelineBench } from '../../../helpers/pipeline.ts'

/** A host with 200 firms at version `first`, and a warehouse that has pulled them. */
async function pulled(): Promise<{ host: FirmHost; bench: Bench } & AsyncDisposable> {
  const stack = new AsyncDisposableStack()
  const host = stack.use(await startFirmHost(generateFirms(200)))
  host.version = 'first'
  const bench = stack.use(await pipelineBench(host, { concurrency: 1 }))
  expect(await bench.run()).toMatchObject({ outcome: 'ok', inserted: 200 })
  return { host, bench, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const whole = { outcome: 'ok', inserted: 0, unchanged: 200, requests: 6 }

describe('a pull of firms from a service that reports their version', () => {
  it('ends after the first page while the version stays the same, and confirms that the firms are current', async () => {
    await using pull = await pulled()
    const checked = async () => {
      const { rows } = await sql<{ checked_at: string; valid_to: string | null }>`
        select checked_at, valid_to from warehouse.firm_coverage`.execute(pull.bench.warehouse.db)
      return rows[0]
    }
    const before = await checked()
    for (const _ of [1, 2])
      expect(await pull.bench.run()).toMatchObject({ outcome: 'ok', inserted: 0, unchanged: 200, requests: 1 })
    expect((await checked())?.checked_at).not.toBe(before?.checked_at)
    expect((await checked())?.valid_to).toBeNull()
  })

  it('reads all pages when the version has changed', async () => {
    await using pull = await pulled()
    const { host, bench } = pull
    host.firms = host.firms.map((firm) => (firm['crd_number'] === 100_007 ? { ...firm, employee_count: 4711 } : firm))
    host.version = 'second'
    expect(await bench.run()).toMatchObject({ outcome: 'ok', updated: 1, unchanged: 199 })
    expect(await bench.run()).toMatchObject({ outcome: 'ok', unchanged: 200, requests: 1 })
  })

  it('reads all pages when a firm is missing from the warehouse', async () => {
    await using pull = await pulled()
    await sql`delete from warehouse.firm where firm_id = '100007'`.execute(pull.bench.warehouse.db)
    expect(await pull.bench.run()).toMatchObject({ outcome: 'ok', inserted: 1, unchanged: 199 })
  })

  it('reads all pages when other settings read the same data differently', async () => {
    await using pull = await pulled()
    const settings = { host: { ...EMPTY_PROFILE, firm_fields: 'typed' as const } }
    expect(await pull.bench.run({ settings })).toMatchObject({ outcome: 'ok', unchanged: 200, requests: 6 })
    expect(await pull.bench.run({ settings })).toMatchObject({ requests: 1 })
  })

  it('reads all pages after a pull during which the version changed', async () => {
    await using pull = await pulled()
    const { host, bench } = pull
    host.version = 'second'
    const start = host.requests.length
    host.fault = ({ number }) => {
      if (number === start + 3) host.version = 'third'
      return undefined
    }
    expect(await bench.run()).toMatchObject(whole)
    expect(await bench.run()).toMatchObject(whole)
    expect(await bench.run()).toMatchObject({ requests: 1 })
  })

  it('reads all pages after a pull during which the version changed and changed back', async () => {
    await using pull = await pulled()
    const { host, bench } = pull
    host.version = 'second'
    const start = host.requests.length
    host.fault = ({ number }) => {
      if (number === start + 3) host.version = 'third'
      if (number === start + 4) host.version = 'second'
      return undefined
    }
    expect(await bench.run()).toMatchObject(whole)
    expect(await bench.run()).toMatchObject(whole)
  })

  it('reads all pages after a pull that failed, and after a pull whose completeness could not be verified', async () => {
    await using pull = await pulled()
    const { host, bench } = pull
    host.version = 'second'
    const start = host.requests.length
    host.fault = ({ number }) => (number > start + 2 ? { kind: 'status', status: 400 } : undefined)
    expect(await bench.run()).toMatchObject({ state: 'failed' })
    host.fault = () => ({
      kind: 'page',
      change: (page) => ({ ...page, total_count: Number(page.total_count) + 1, data_version: 'second' }),
    })
    expect(await bench.run()).toMatchObject({ outcome: 'degraded' })
    host.fault = () => undefined
    expect(await bench.run()).toMatchObject(whole)
  })

  it('reads all pages while a record is rejected', async () => {
    await using pull = await pulled()
    const { host, bench } = pull
    host.firms = [...host.firms, { ...inventFirm(200), employee_count: 'many' }]
    host.version = 'second'
    const before = await firmContents(bench.warehouse)
    for (const _ of [1, 2]) expect(await bench.run()).toMatchObject({ outcome: 'degraded', unchanged: 200 })
    expect(await firmContents(bench.warehouse)).toEqual(before)
  })
})
