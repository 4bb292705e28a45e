import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveRequests } from '../../../pipelines/operations/serve-requests.ts'
import type { Pipeline } from '../../../pipelines/runner/pipeline.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { createApiKey, revokeApiKey } from '../../../src/auth/api-keys.ts'
import type { Scope } from '../../../src/contract/scopes.ts'
import type { WarehouseOverview, WarehouseRunDetails, WarehouseRunPage } from '../../../src/contract/warehouse.ts'
import { sleep } from '../../../src/lib/backoff.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { testDatabase } from '../../helpers/database.ts'
import { eventually } from '../../helpers/eventually.ts'
import { testOperations } from '../../helpers/operations.ts'
import type { Bench } from '../../helpers/pipeline.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let warehouse: Postgres<WarehouseTables>
let service: TestService
let bench: Bench
beforeAll(async () => {
  warehouse = await testDatabase<WarehouseTables>('warehouse')
  service = await startService({ warehouse: testOperations(warehouse) })
  // A heartbeat every quarter of a second, so that a stop takes effect quickly.
  bench = await pipelineBench(service, { abandoned_after_seconds: 1 }, warehouse)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await bench[Symbol.asyncDispose]()
})

const works = (name: string): Pipeline => ({
  name,
  async run({ counts, progress }) {
    counts.inserted = 3
    progress(1, 1)
    return { reasons: name === 'half' ? ['half is missing'] : [] }
  },
})

/** A pipeline that runs until it is stopped. */
const waits: Pipeline = {
  name: 'waits',
  async run({ signal }) {
    await sleep(60_000, signal)
    return { reasons: [] }
  },
}

const listRuns = async (query = ''): Promise<WarehouseRunPage> =>
  (await service.call<WarehouseRunPage>('GET', `/v2/warehouse/runs${query}`)).body

describe('GET /v2/warehouse/runs', () => {
  it('pages through runs by ID and filters them by pipeline and result', async () => {
    for (const name of ['listed', 'listed', 'half']) await bench.run({ pipeline: works(name) })
    const [first] = (await listRuns('?limit=1')).runs
    expect(first).toMatchObject({ pipeline: 'half', outcome: 'degraded', reasons: ['half is missing'], inserted: 3 })
    expect((await listRuns(`?before=${first?.id}&limit=2`)).runs.map(({ pipeline }) => pipeline)).toEqual([
      'listed',
      'listed',
    ])
    expect((await listRuns('?pipeline=listed')).runs).toHaveLength(2)
    expect((await listRuns('?result=degraded')).runs.map(({ id }) => id)).toEqual([first?.id])
  })

  it('lists the pipelines that can be started', async () => {
    expect((await listRuns()).pipelines[0]).toMatchObject({ name: 'nightly' })
  })
})

describe('GET /v2/warehouse/runs/{run_id}', () => {
  it('returns the steps of a run and the records that the run rejected', async () => {
    const { id } = await bench.run({ pipeline: works('parent') })
    await warehouse.db
      .insertInto('sync.run')
      .values({
        pipeline: 'step',
        parent_id: id,
        requested_by: 'parent',
        holder: '{}',
        state: 'completed',
        outcome: 'ok',
        ended_at: '2026-01-01T00:00:00Z',
      } as never)
      .execute()
    await warehouse.db
      .insertInto('warehouse.quarantine')
      .values({
        entity: 'firm',
        fingerprint: crypto.randomUUID(),
        key: '801-1',
        reason: 'no name',
        record: '{"a":1}',
        run_id: id,
      } as never)
      .execute()
    const { body } = await service.call<WarehouseRunDetails>('GET', `/v2/warehouse/runs/${id}`)
    expect(body.run).toMatchObject({ id, pipeline: 'parent' })
    expect(body.steps.map(({ pipeline }) => pipeline)).toEqual(['step'])
    expect(body.rejected).toMatchObject([{ key: '801-1', reason: 'no name', record: { a: 1 } }])
  })

  it('responds 404 to an unknown run', async () => {
    expect(await service.call('GET', '/v2/warehouse/runs/999999')).toMatchObject({ status: 404 })
  })
})

describe('GET /v2/warehouse/overview', () => {
  it('the overview returns the latest run of each pipeline, the schedule, and freshness by night', async () => {
    await warehouse.db
      .insertInto('warehouse.freshness_by_night')
      .values([
        { night: new Date().toISOString().slice(0, 10), state: 'fresh', members: 7, run_id: 1 },
        { night: new Date().toISOString().slice(0, 10), state: 'stale', members: 2, run_id: 1 },
      ])
      .execute()
    await bench.run({ pipeline: works('nightly') })
    const { body } = await service.call<WarehouseOverview>('GET', '/v2/warehouse/overview')
    expect(body.freshness).toMatchObject([{ fresh: 7, stale: 2, never: 0 }])
    expect(body.nights).toMatchObject([{ pipeline: 'nightly', outcome: 'ok' }])
    expect(body.schedule.next).toHaveLength(10)
    expect(body.pipelines.map(({ run }) => run.pipeline)).toContain('nightly')
    expect(body.snapshot).toBe(null)
  })
})

describe('starting a run', () => {
  it('a run can be requested once, and a scheduler executes it', async () => {
    const start = () => service.call('POST', '/v2/warehouse/runs', { body: { pipeline: 'staleness' } })
    expect(await start()).toMatchObject({ status: 200, body: { pipeline: 'staleness' } })
    expect(await start()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('already requested') } })
    expect((await listRuns()).requested).toMatchObject([{ pipeline: 'staleness' }])
    const stop = new AbortController()
    const serving = serveRequests(bench.deps, stop.signal)
    const run = await eventually('the run ends', async () => {
      const [latest] = (await listRuns('?pipeline=staleness')).runs
      return latest?.ended_at ? latest : undefined
    })
    expect(run).toMatchObject({ requested_by: 'console', outcome: 'ok' })
    expect((await listRuns()).requested).toEqual([])
    stop.abort()
    await serving
  })

  it('responds 404 to the start of an unknown pipeline', async () => {
    expect(await service.call('POST', '/v2/warehouse/runs', { body: { pipeline: 'unknown' } })).toMatchObject({
      status: 404,
    })
  })
})

describe('stopping a run', () => {
  it('stopping a run interrupts it, and the next run of the pipeline resumes it', async () => {
    const running = bench.run({ pipeline: waits })
    const [{ id } = { id: 0 }] = await eventually('the run starts', async () => {
      const { runs } = await listRuns('?pipeline=waits&result=running')
      return runs.length > 0 ? runs : undefined
    })
    const reply = await service.call('POST', `/v2/warehouse/runs/${id}/stop`)
    expect(reply).toMatchObject({ status: 200, body: { id, stop_requested_at: expect.any(String) } })
    expect(await running).toMatchObject({ id, state: 'interrupted', outcome: null })
    expect(await service.call('POST', `/v2/warehouse/runs/${id}/stop`)).toMatchObject({ status: 409 })
    const next = await bench.run({ pipeline: works('waits') })
    expect(next.continues_id).toBe(id)
    const { body } = await service.call<WarehouseRunDetails>('GET', `/v2/warehouse/runs/${id}`)
    expect(body.continued_by).toBe(next.id)
  })
})

describe('GET /v2/events', () => {
  it("the event stream sends only the client's tasks to a key without the scope warehouse", async () => {
    const { key } = await createApiKey(service.db, service.client.client_id, { scopes: ['read'] })
    const leave = new AbortController()
    const response = await fetch(`${service.url}/v2/events`, { headers: { 'x-api-key': key }, signal: leave.signal })
    const events = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const receive = async (wanted: string) => {
      while (!text.includes(wanted)) text += (await events.read()).value
    }
    await receive('event: tasks')
    const other = await (await service.addCaller()).call<{ task_id: string }>('POST', '/v2/enrich/company', {
      body: { domain: 'other.example' },
    })
    const { body } = await service.call<{ task_id: string }>('POST', '/v2/enrich/company', {
      body: { domain: 'watched.example' },
    })
    await receive(`"id":"${body.task_id}"`)
    leave.abort()
    expect(text).not.toContain(other.body.task_id)
    expect(text).not.toContain('event: runs')
  })

  it('the event stream masks contact data in runs for a key without the scope contacts', async () => {
    const blames: Pipeline = {
      name: 'blames',
      run: async () => ({ reasons: ['jane@acme.example is rejected'] }),
    }
    await bench.run({ pipeline: blames })
    const receiveReasons = async (scopes: Scope[]) => {
      const { key } = await createApiKey(service.db, service.client.client_id, { scopes })
      const response = await fetch(`${service.url}/v2/events`, { headers: { 'x-api-key': key } })
      const events = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      while (!text.includes(' is rejected')) text += (await events.read()).value
      await events.cancel()
      return /\S+ is rejected/.exec(text)?.[0]
    }
    expect(await receiveReasons(['warehouse', 'contacts'])).toMatch(/jane@acme\.example is rejected$/)
    expect(await receiveReasons(['warehouse'])).toMatch(/\*\*\*@acme\.example is rejected$/)
  })

  it('the event stream sends a run when it starts and when it ends, and no more events after the key is revoked', async () => {
    const { key, key_id } = await createApiKey(service.db, service.client.client_id, { scopes: ['warehouse'] })
    const signIn = await fetch(`${service.url}/v2/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: key }),
    })
    const cookie = (signIn.headers.get('set-cookie') as string).split(';')[0] as string
    const response = await fetch(`${service.url}/v2/events`, { headers: { cookie } })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const receive = async (wanted: string) => {
      while (!text.includes(wanted)) {
        const { value, done } = await reader.read()
        if (done) throw new Error(`the stream ended before ${wanted}: ${text}`)
        text += value
      }
    }
    await receive('event: runs')
    const { id } = await bench.run({ pipeline: works('watched') })
    await receive(`"id":${id},"pipeline":"watched"`)
    await revokeApiKey(service.db, key_id)
    await bench.run({ pipeline: works('unseen') })
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      text += value
    }
    expect(text).not.toContain('unseen')
  })
})
