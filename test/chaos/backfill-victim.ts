/** Runs a backfill in a process that a test kills: node backfill-victim.ts WAREHOUSE_URL SERVICE_URL ID */
import { runBackfill } from '../../pipelines/backfill/run-backfill.ts'
import { createHostClient } from '../../pipelines/host/host-client.ts'
import { runPipeline } from '../../pipelines/runner/run-pipeline.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres } from '../../src/lib/postgres.ts'
import { pipelineDeps } from '../helpers/pipeline-deps.ts'

const [warehouseUrl, baseUrl, id] = process.argv.slice(2) as [string, string, string]
await using warehouse = openPostgres<WarehouseTables>(warehouseUrl, { log: silentLog, name: 'victim', connections: 5 })
await using client = createHostClient({ baseUrl, apiKey: 'key', concurrency: 4 })
const { error } = await runPipeline(pipelineDeps(warehouse, client), runBackfill(Number(id)), {
  requestedBy: 'command',
  signal: new AbortController().signal,
})
if (error) throw error
