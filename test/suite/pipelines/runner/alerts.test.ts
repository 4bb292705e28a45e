import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createAlerts } from '../../../../pipelines/alerts/alerts.ts'
import { webhookChannel } from '../../../../pipelines/alerts/webhook.ts'
import { firms } from '../../../../pipelines/firms/pipeline.ts'
import { nightly } from '../../../../pipelines/nightly.ts'
import { serveRequests } from '../../../../pipelines/operations/serve-requests.ts'
import type { PipelineDeps } from '../../../../pipelines/runner/pipeline.ts'
import { thisProcess } from '../../../../pipelines/runner/process-identity.ts'
import { runPipeline } from '../../../../pipelines/runner/run-pipeline.ts'
import { runDue } from '../../../../pipelines/runner/scheduler.ts'
import { silentLog } from '../../../../src/lib/logger.ts'
import type { AlertReceiver } from '../../../helpers/alert-receiver.ts'
import { startAlertReceiver } from '../../../helpers/alert-receiver.ts'
import { eventually } from '../../../helpers/eventually.ts'
import { startFirmHost } from '../../../helpers/firm-host.ts'
import { generateFirms } from '../../../helpers/invented-firms.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'

const never = new AbortController().signal

interface House extends AsyncDisposable {
  receiver: AlertReceiver
  bench: Bench
  deps: PipelineDeps
  /** Makes every request to the service fail. */
  breakHost(): void
  texts(): string[]
}

async function openHouse(): Promise<House> {
  await using stack = new AsyncDisposableStack()
  const receiver = stack.use(await startAlertReceiver())
  const host = stack.use(await startFirmHost(generateFirms(20)))
  const bench = stack.use(await pipelineBench(host))
  const channels = [webhookChannel(`${receiver.url}/hook`)]
  const reporter = createAlerts({ channels, source: 'test', timeZone: 'Europe/Berlin', log: silentLog, firstRetry: 1 })
  const rest = stack.move()
  return {
    receiver,
    bench,
    deps: { ...bench.deps, reporter },
    breakHost() {
      host.fault = () => ({ kind: 'status', status: 401 })
    },
    texts: () => receiver.at('/hook').map((body) => (body as { text: string }).text),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}

describe('an alert', () => {
  it('alerts about a failed run of the scheduler', async () => {
    await using house = await openHouse()
    house.breakHost()
    await runDue(house.deps, { cron: '0 2 * * *', time_zone: 'UTC', catch_up: 'latest' }, [firms], never)
    expect(house.texts()).toEqual([
      expect.stringMatching(
        /firms failed \(run 1, started \d{4}-\d\d-\d\d \d\d:\d\d:\d\d Europe\/Berlin\)\n(?:.*\n)+Details: talhouse runs show 1$/,
      ),
    ])
  })

  it('alerts about a failed run that a user started in the console', async () => {
    await using house = await openHouse()
    house.breakHost()
    await sql`insert into sync.run_request (pipeline) values ('firms')`.execute(house.bench.warehouse.db)
    const stop = new AbortController()
    const serving = serveRequests(house.deps, stop.signal)
    await eventually('the alert arrives', async () => house.texts().length > 0)
    stop.abort()
    await serving
    expect(house.texts()).toEqual([expect.stringContaining('firms failed (run 1')])
  })

  it('alerts about a nightly run once, with the reasons of its steps', async () => {
    await using house = await openHouse()
    house.breakHost()
    await runPipeline(house.deps, nightly, { requestedBy: 'command', signal: never })
    expect(house.texts()).toEqual([expect.stringMatching(/nightly failed \(run 1.*\n• .*tal-members failed/)])
  })

  it('alerts about a run whose process died, and about its recovery', async () => {
    await using house = await openHouse()
    const holder = JSON.stringify({ ...thisProcess(), started: 'another boot' })
    await sql`insert into sync.run (pipeline, requested_by, holder) values ('firms', 'schedule', ${holder}::jsonb)`.execute(
      house.bench.warehouse.db,
    )
    await runPipeline(house.deps, firms, { requestedBy: 'command', signal: never })
    expect(house.texts()).toEqual([
      expect.stringContaining('firms was abandoned, because its process died (run 1'),
      expect.stringContaining('firms is ok again (run 2'),
    ])
  })

  it('sends no alert for a run that was interrupted on request', async () => {
    await using house = await openHouse()
    const stop = new AbortController()
    const stopping = { ...firms, run: () => Promise.reject(stop.abort()) }
    const { run } = await runPipeline(house.deps, stopping, { requestedBy: 'command', signal: stop.signal })
    expect(run.state).toBe('interrupted')
    expect(house.texts()).toEqual([])
  })

  it('alerts contain no control characters from other hosts', async () => {
    await using house = await openHouse()
    const degraded = { ...firms, run: async () => ({ reasons: ['name \u001b[2J\u202egnp.exe\rnight is ok'] }) }
    await runPipeline(house.deps, degraded, { requestedBy: 'command', signal: never })
    expect(house.texts()).toEqual([
      expect.stringMatching(/\n• name gnp\.exenight is ok\nDetails: talhouse runs show 1$/),
    ])
  })

  it('retries an alert after a temporary error, and an alert cannot fail a run', async () => {
    await using house = await openHouse()
    const degraded = { ...firms, run: async () => ({ reasons: ['<!channel> one & two'] }) }
    house.receiver.statuses.push(503, 500)
    await runPipeline(house.deps, degraded, { requestedBy: 'command', signal: never })
    expect(house.texts()).toEqual([expect.stringMatching(/firms degraded .*\n• &lt;!channel&gt; one &amp; two\n/)])
    house.receiver.statuses.push(404)
    const { run } = await runPipeline(house.deps, degraded, { requestedBy: 'command', signal: never })
    expect(run).toMatchObject({ state: 'completed', outcome: 'degraded' })
    expect(house.texts()).toHaveLength(1)
  })
})
