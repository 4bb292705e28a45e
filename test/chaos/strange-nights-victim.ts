/**
 * Executes a nightly run for every message, in a process that a test kills: node strange-nights-victim.ts WAREHOUSE_URL
 * SERVICE_URL FOLDER
 */
import { createHostClient } from '../../pipelines/host/host-client.ts'
import { nightly } from '../../pipelines/nightly.ts'
import { runPipeline } from '../../pipelines/runner/run-pipeline.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres } from '../../src/lib/postgres.ts'
import { PIPELINE_SETTINGS, pipelineDeps } from '../helpers/pipeline-deps.ts'
import type { NightDone } from './strange-nights.ts'

const [warehouseUrl, baseUrl, folder] = process.argv.slice(2) as [string, string, string]
const warehouse = openPostgres<WarehouseTables>(warehouseUrl, { log: silentLog, name: 'victim', connections: 6 })
const client = createHostClient({
  baseUrl,
  apiKey: 'key',
  concurrency: 4,
  retry: { minDelay: 1, maxDelay: 20, attempts: 5 },
})
const deps = pipelineDeps(
  warehouse,
  client,
  {
    abandoned_after_seconds: 2,
    firms: { max_gone_share: 1 },
    members: { max_gone_share: 1, full_pull_days: 7, former_people_days: 1095, provenance: 'none' },
    // The grace period is half a second, because the host records a submission a tenth of a second after its response
    // was lost.
    enrich: { ...PIPELINE_SETTINGS.enrich, batch: 5, grace_minutes: 0.5 / 60, wait_minutes: 0.1 },
  },
  folder,
)
process.on('message', () => {
  runNight().then(
    (done) => process.send?.(done),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit())

async function runNight(): Promise<NightDone> {
  const { run } = await runPipeline(deps, nightly, { requestedBy: 'command', signal: new AbortController().signal })
  return {
    outcome: run.outcome ?? run.state,
    reasons: [...run.reasons, ...(run.error_message ? [run.error_message] : [])],
  }
}
