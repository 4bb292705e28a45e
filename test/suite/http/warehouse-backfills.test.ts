import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveRequests } from '../../../pipelines/operations/serve-requests.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { listAudit } from '../../../src/audit/audit-log.ts'
import type { Backfill, BackfillList } from '../../../src/contract/warehouse-backfills.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { testDatabase } from '../../helpers/database.ts'
import { eventually } from '../../helpers/eventually.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'
import { testOperations } from '../../helpers/operations.ts'
import type { Bench } from '../../helpers/pipeline.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'
import { untilWaitingForLocks } from '../../helpers/waiting-for-locks.ts'

let warehouse: Postgres<WarehouseTables>
let service: TestService
let bench: Bench
beforeAll(async () => {
  warehouse = await testDatabase<WarehouseTables>('warehouse')
  service = await startService({ warehouse: testOperations(warehouse) })
  await storeFirms(service.postgres, generateFirms(60))
  bench = await pipelineBench(service, {}, warehouse)
  await bench.run()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await bench[Symbol.asyncDispose]()
})

const PATH = '/v2/warehouse/backfills'
const plan = (body: object) => service.call<Backfill & { detail: string }>('POST', PATH, { body })
const change = (id: number, verb: 'start' | 'pause') => service.call<Backfill>('POST', `${PATH}/${id}/${verb}`)
const list = async () => (await service.call<BackfillList>('GET', PATH)).body.backfills

it('plans a backfill with its cost, starts it only on request, and runs it to completion', async () => {
  const { body: planned } = await plan({ dataset: 'firms' })
  expect(planned).toMatchObject({ dataset: 'firms', state: 'planned', requests: 0, parts_done: 0 })
  expect(planned.estimated_requests).toBeGreaterThan(0)
  const stop = new AbortController()
  const scheduler = serveRequests(bench.deps, stop.signal)
  expect(await change(planned.id, 'start')).toMatchObject({ status: 200 })
  const [done] = await eventually('the backfill completes', async () => {
    const backfills = await list()
    return backfills[0]?.state === 'completed' && backfills
  })
  expect(done).toMatchObject({ id: planned.id, parts_failed: 0 })
  expect(done?.parts_done).toBe(done?.parts)
  expect(done?.requests).toBeGreaterThan(0)
  expect(await change(planned.id, 'start')).toMatchObject({ status: 409 })
  stop.abort()
  await scheduler
  const actions = await listAudit(service.db, { action: 'backfill', limit: 10 })
  expect(actions.map(({ action, result }) => [action, result])).toEqual([
    ['backfill.start', 'conflict'],
    ['backfill.start', 'ok'],
    ['backfill.plan', 'ok'],
  ])
})

it('pauses a planned backfill, and resumes it on a start', async () => {
  const { body: planned } = await plan({ dataset: 'firms' })
  expect(await change(planned.id, 'pause')).toMatchObject({ status: 200, body: { state: 'paused' } })
  expect(await change(planned.id, 'start')).toMatchObject({ status: 200, body: { state: 'running' } })
  expect(await change(planned.id, 'start')).toMatchObject({ status: 409 })
})

it('makes the start of a backfill visible to schedulers only together with the state from which they resume it', async () => {
  const { body: planned } = await plan({ dataset: 'firms' })
  await change(planned.id, 'pause')
  const requests = () =>
    warehouse.db.selectFrom('sync.run_request').selectAll().where('pipeline', '=', `backfill-${planned.id}`).execute()
  const started = await warehouse.db.transaction().execute(async (trx) => {
    await sql`select from sync.backfill where id = ${planned.id} for update`.execute(trx)
    const start = change(planned.id, 'start')
    await untilWaitingForLocks(warehouse.db, 1)
    expect(await requests()).toEqual([])
    return { start }
  })
  expect(await started.start).toMatchObject({ status: 200, body: { state: 'running' } })
  expect(await requests()).toHaveLength(1)
})

it('explains which parameters of a backfill are missing, and responds 404 to an unknown backfill', async () => {
  const { status, body } = await plan({ dataset: 'history' })
  expect([status, body.detail]).toEqual([400, expect.stringContaining('missing')])
  expect(await change(999, 'start')).toMatchObject({ status: 404 })
  expect(await change(999, 'pause')).toMatchObject({ status: 404 })
})
