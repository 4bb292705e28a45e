import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Pipeline } from '../../../../pipelines/runner/pipeline.ts'
import { thisProcess } from '../../../../pipelines/runner/process-identity.ts'
import { runPipeline } from '../../../../pipelines/runner/run-pipeline.ts'
import { claimRun } from '../../../../pipelines/runner/runs.ts'
import { AppError } from '../../../../src/lib/errors.ts'
import { startFirmHost } from '../../../helpers/firm-host.ts'
import { generateFirms } from '../../../helpers/invented-firms.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'

const NOWHERE = { url: 'http://127.0.0.1:1' }
const never = new AbortController().signal

const pipelineThat = (run: Pipeline['run']): Pipeline => ({ name: 'sample', run })

describe('a run', () => {
  it('a run locks its pipeline, so a second run is rejected while the first is running', async () => {
    await using bench = await pipelineBench(NOWHERE)
    const release = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const slow = pipelineThat(async () => {
      started.resolve()
      await release.promise
      return { reasons: [] }
    })
    const first = bench.run({ pipeline: slow })
    await started.promise
    await expect(bench.run({ pipeline: slow })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('run 1'),
    })
    release.resolve()
    expect(await first).toMatchObject({ state: 'completed', outcome: 'ok' })
    expect(await bench.run({ pipeline: slow })).toMatchObject({ state: 'completed' })
  })

  it('a run records its counts, and its reasons when degraded', async () => {
    await using bench = await pipelineBench(NOWHERE)
    const run = await bench.run({
      pipeline: pipelineThat(async (context) => {
        context.counts.inserted += 3
        context.progress(3, 7)
        return { reasons: ['four are missing'] }
      }),
    })
    expect(run).toMatchObject({ outcome: 'degraded', reasons: ['four are missing'], inserted: 3, done: 3, total: 7 })
  })

  it('a run fails when its pipeline throws, with the error code and its counts so far', async () => {
    await using bench = await pipelineBench(NOWHERE)
    const pipeline = pipelineThat(async ({ counts }) => {
      counts.updated = 2
      throw new AppError('upstream_failed', 'no answer')
    })
    const { run, error } = await runPipeline(bench.deps, pipeline, { requestedBy: 'command', signal: never })
    expect(run).toMatchObject({ state: 'failed', outcome: 'failed', error_code: 'upstream_failed', updated: 2 })
    expect(error).toMatchObject({ message: 'no answer' })
  })

  it('a run is interrupted by its signal, and the next run resumes it', async () => {
    await using host = await startFirmHost(generateFirms(500))
    await using bench = await pipelineBench(host, { concurrency: 1 })
    const stop = new AbortController()
    host.fault = ({ number }) => {
      if (number === 4) stop.abort()
      return undefined
    }
    const stopped = await bench.run({ signal: stop.signal })
    expect(stopped).toMatchObject({ state: 'interrupted', outcome: null, inserted: 150 })
    const next = await bench.run()
    expect(next).toMatchObject({ outcome: 'ok', inserted: 350, continues_id: stopped.id })
  })

  it('a pipeline runs once per scheduled time', async () => {
    await using bench = await pipelineBench(NOWHERE)
    const night = { requestedBy: 'schedule', scheduledFor: '2026-11-20T02:00:00Z', signal: never } as const
    const quick = pipelineThat(async () => ({ reasons: [] }))
    expect((await runPipeline(bench.deps, quick, night)).run).toMatchObject({ outcome: 'ok' })
    await expect(runPipeline(bench.deps, quick, night)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('a run is abandoned immediately when its process is dead, and the next run replaces it', async () => {
    await using bench = await pipelineBench(NOWHERE)
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    const night = { pipeline: 'sample', requestedBy: 'schedule', scheduledFor: '2026-11-20T02:00:00Z' } as const
    const dead = await claimRun(bench.warehouse.db, { ...night, startedAt: new Date() })
    await holdBy(bench, { ...thisProcess(), pid: child.pid as number, started: 'then' })
    const { run } = await runPipeline(
      bench.deps,
      pipelineThat(async () => ({ reasons: [] })),
      { ...night, signal: never },
    )
    expect(run).toMatchObject({ outcome: 'ok', continues_id: dead?.id })
    const { rows } =
      await sql`select state, ended_at is not null as ended from sync.run where id = ${dead?.id}`.execute(
        bench.warehouse.db,
      )
    expect(rows).toEqual([{ state: 'abandoned', ended: true }])
  })

  it('a run in a container with the same host name is not abandoned while its heartbeat is fresh', async () => {
    await using bench = await pipelineBench(NOWHERE)
    await claimRun(bench.warehouse.db, { pipeline: 'sample', requestedBy: 'command', startedAt: new Date() })
    await holdBy(bench, { ...thisProcess(), namespace: 'pid:[1]', pid: 4_000_000 })
    const quick = pipelineThat(async () => ({ reasons: [] }))
    await expect(bench.run({ pipeline: quick })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('a run on another host is abandoned only after its heartbeat stops', async () => {
    await using bench = await pipelineBench(NOWHERE)
    await claimRun(bench.warehouse.db, { pipeline: 'sample', requestedBy: 'command', startedAt: new Date() })
    await holdBy(bench, { host: 'elsewhere', pid: 1, started: '' })
    const quick = pipelineThat(async () => ({ reasons: [] }))
    await expect(bench.run({ pipeline: quick })).rejects.toMatchObject({ code: 'conflict' })
    await sql`update sync.run set heartbeat_at = now() - interval '31 seconds'`.execute(bench.warehouse.db)
    expect(await bench.run({ pipeline: quick })).toMatchObject({ outcome: 'ok' })
  })

  it('a run stops and commits nothing after it is declared abandoned', async () => {
    await using host = await startFirmHost(generateFirms(500))
    await using bench = await pipelineBench(host, { concurrency: 2, abandoned_after_seconds: 30 })
    const asleep = Promise.withResolvers<void>()
    const paused = Promise.withResolvers<void>()
    const { firms } = await import('../../../../pipelines/firms/pipeline.ts')
    const sleepy = { ...bench.deps, client: { ...bench.deps.client, firms: { query: slowly } } }
    let pages = 0
    async function slowly(...asked: Parameters<typeof bench.deps.client.firms.query>) {
      const page = await bench.deps.client.firms.query(...asked)
      pages += 1
      if (pages > 3) {
        paused.resolve()
        await asleep.promise
      }
      return page
    }
    const zombie = runPipeline(sleepy, firms, { requestedBy: 'command', signal: never })
    await paused.promise
    await sql`update sync.run set heartbeat_at = now() - interval '1 hour'`.execute(bench.warehouse.db)
    const heir = await bench.run()
    expect(heir).toMatchObject({ outcome: 'ok', continues_id: 1 })
    asleep.resolve()
    const { run, error } = await zombie
    expect(error).toMatchObject({ code: 'conflict' })
    expect(run.state).toBe('abandoned')
    expect(run.inserted + heir.inserted).toBe(500)
  })
})

async function holdBy(bench: Awaited<ReturnType<typeof pipelineBench>>, holder: object): Promise<void> {
  await sql`update sync.run set holder = ${JSON.stringify(holder)}::jsonb where state = 'running'`.execute(
    bench.warehouse.db,
  )
}
