import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firms } from '../../../pipelines/firms/pipeline.ts'
import { datasetsOf } from '../../../pipelines/lineage/datasets.ts'
import { createLineage } from '../../../pipelines/lineage/lineage.ts'
import type { runEvent } from '../../../pipelines/lineage/run-event.ts'
import { nightly } from '../../../pipelines/nightly.ts'
import type { Pipeline } from '../../../pipelines/runner/pipeline.ts'
import { thisProcess } from '../../../pipelines/runner/process-identity.ts'
import { runPipeline } from '../../../pipelines/runner/run-pipeline.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { firstDay } from '../../chaos/two-days.ts'
import type { Bench } from '../../helpers/pipeline.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import type { StrangeHost } from '../../helpers/strange-host.ts'
import { startStrangeHost } from '../../helpers/strange-host.ts'

type Event = ReturnType<typeof runEvent>

const FIXTURES = join(import.meta.dirname, '../../fixtures/openlineage')
const FACETS = {
  parent: 'ParentRunFacet',
  nominalTime: 'NominalTimeRunFacet',
  errorMessage: 'ErrorMessageRunFacet',
  jobType: 'JobTypeJobFacet',
}

/** Returns a function that lists an event's violations of the OpenLineage specification. */
async function openSpecification(): Promise<(event: Event) => unknown[]> {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  for (const name of ['OpenLineage', ...Object.values(FACETS)])
    ajv.addSchema(JSON.parse(await readFile(join(FIXTURES, `${name}.json`), 'utf8')))
  const violations = (schema: string, value: unknown): unknown[] => {
    const validate = ajv.getSchema(schema)
    if (!validate) return [`unknown schema ${schema}`]
    return validate(value) ? [] : (validate.errors ?? [])
  }
  return (event) => [
    ...violations(event.schemaURL, event),
    ...Object.values({ ...event.run.facets, ...event.job.facets }).flatMap((facet) =>
      facet ? violations(facet._schemaURL, facet) : [],
    ),
  ]
}

describe('lineage events', () => {
  const never = new AbortController().signal
  let folder: string
  let host: StrangeHost
  let bench: Bench
  let file: string
  const run = async (
    pipeline: Pipeline,
    { url = pathToFileURL(file).href, apiKey = undefined as string | undefined, signal = never } = {},
  ) => {
    const names = {
      ...{ namespace: 'talhouse', serviceUrl: host.url, warehouseUrl: bench.warehouse.url },
      ...{ snapshotUrl: 's3://bucket/nights', log: silentLog },
    }
    const deps = { ...bench.deps, lineage: createLineage({ url, apiKey, ...names }) }
    return (await runPipeline(deps, pipeline, { requestedBy: 'command', signal })).run
  }
  const written = async (): Promise<Event[]> =>
    (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  const latest = async (): Promise<Event[]> => (await written()).slice(-2)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'talhouse-lineage-'))
    file = join(folder, 'events.jsonl')
    host = await startStrangeHost()
    firstDay(host.world)
    bench = await pipelineBench(host)
  })
  afterAll(async () => {
    await bench[Symbol.asyncDispose]()
    await host[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  it('lineage events report the start and the end of each run of a nightly run, as OpenLineage specifies', async () => {
    const night = await run(nightly)
    expect(night).toMatchObject({ outcome: 'ok' })
    const violations = await openSpecification()
    const events = await written()
    expect(events.flatMap(violations)).toEqual([])
    expect([events[0], events.at(-1)]).toMatchObject([
      { eventType: 'START', job: { namespace: 'talhouse', name: 'nightly' } },
      {
        eventType: 'COMPLETE',
        job: { name: 'nightly' },
        run: { facets: { talhouse_run: { inserted: night.inserted } } },
      },
    ])
    const nightId = events[0]?.run.runId
    const steps = Map.groupBy(events.slice(1, -1), ({ run: { runId } }) => runId)
    expect(steps.size).toBe(11)
    for (const [runId, [start, end, ...more]] of steps) {
      expect([start?.eventType, end?.eventType, more]).toEqual(['START', 'COMPLETE', []])
      expect(runId).not.toBe(nightId)
      expect(start?.run.facets).toMatchObject({ parent: { run: { runId: nightId }, job: { name: 'nightly' } } })
    }
    const exported = events.find(({ job: { name } }) => name === 'export')
    expect(exported?.outputs).toEqual([{ namespace: 's3://bucket', name: 'nights' }])
    expect(JSON.stringify(events)).not.toContain(new URL(bench.warehouse.url).password || 'password')
  })

  it('lineage events name every table that a pipeline writes', async () => {
    const { rows: tables } = await sql<{ name: string }>`
      select table_schema || '.' || table_name as name from information_schema.columns
      where table_schema = 'warehouse' and column_name = 'run_id' and is_updatable = 'YES'
        and table_name not in (select viewname from pg_views where schemaname = 'warehouse')`.execute(
      bench.warehouse.db,
    )
    const unnamed: string[] = []
    let found = 0
    for (const { name } of tables) {
      const { rows: writers } = await sql<{ pipeline: string }>`
        select distinct run.pipeline from ${sql.table(name)} as written join sync.run on run.id = written.run_id`.execute(
        bench.warehouse.db,
      )
      found += writers.length
      for (const { pipeline } of writers)
        if (!datasetsOf(pipeline).writes.includes(name)) unnamed.push(`${pipeline} writes ${name}`)
    }
    expect(unnamed).toEqual([])
    expect(found).toBeGreaterThan(8)
    const { rows: known } = await sql<{ name: string }>`
      select schemaname || '.' || tablename as name from pg_tables where schemaname = 'warehouse'`.execute(
      bench.warehouse.db,
    )
    const named = (await written()).flatMap(({ job: { name } }) => [
      ...datasetsOf(name).reads,
      ...datasetsOf(name).writes,
    ])
    const missing = named.filter((name) => name.startsWith('warehouse.') && !known.some((table) => table.name === name))
    expect([...new Set(missing)]).toEqual([])
  })

  it('lineage events report a failed run with its error code, and an interrupted run as aborted', async () => {
    host.fault = () => ({ status: 401 })
    expect(await run(firms)).toMatchObject({ state: 'failed' })
    expect(await latest()).toMatchObject([
      { eventType: 'START' },
      { eventType: 'FAIL', run: { facets: { errorMessage: { message: 'unauthenticated' } } } },
    ])
    const stop = new AbortController()
    host.fault = () => {
      stop.abort(new Error('stop'))
      return undefined
    }
    expect(await run(firms, { signal: stop.signal })).toMatchObject({ state: 'interrupted' })
    expect((await latest()).map(({ eventType }) => eventType)).toEqual(['START', 'ABORT'])
    host.fault = undefined
    expect((await written()).flatMap(await openSpecification())).toEqual([])
  })

  it('lineage events report a run whose process died as aborted', async () => {
    const holder = JSON.stringify({ ...thisProcess(), started: 'another boot' })
    await sql`insert into sync.run (pipeline, requested_by, holder) values ('firms', 'schedule', ${holder}::jsonb)`.execute(
      bench.warehouse.db,
    )
    const { id } = await run(firms)
    expect((await written()).slice(-3)).toMatchObject([
      { eventType: 'ABORT', run: { facets: { talhouse_run: { run: id - 1 } } } },
      { eventType: 'START' },
      { eventType: 'COMPLETE', run: { facets: { talhouse_run: { run: id } } } },
    ])
  })

  it('sends lineage events to an HTTP receiver, which may be unavailable', async () => {
    const received: { key: string | undefined; event: Event }[] = []
    const receiver = createServer(async (request, response) => {
      received.push({ key: request.headers.authorization, event: (await json(request)) as Event })
      response.writeHead(received.length === 1 ? 503 : 201).end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => receiver.once('listening', resolve))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/api/v1/lineage`
    expect(await run(firms, { url, apiKey: 'secret' })).toMatchObject({ outcome: 'ok' })
    expect(received).toMatchObject([
      { key: 'Bearer secret', event: { eventType: 'START', job: { name: 'firms' } } },
      { key: 'Bearer secret', event: { eventType: 'COMPLETE', outputs: expect.any(Array) } },
    ])
    await new Promise((resolve) => receiver.close(resolve))
    expect(await run(firms, { url })).toMatchObject({ outcome: 'ok' })
  })
})
