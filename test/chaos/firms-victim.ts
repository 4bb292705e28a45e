/**
 * Runs the firms pipeline in a process that a test kills: node firms-victim.ts WAREHOUSE_URL SERVICE_URL CONCURRENCY
 */
import { firms } from '../../pipelines/firms/pipeline.ts'
import { createHostClient } from '../../pipelines/host/host-client.ts'
import { runPipeline } from '../../pipelines/runner/run-pipeline.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres } from '../../src/lib/postgres.ts'
import { pipelineDeps } from '../helpers/pipeline-deps.ts'

const [warehouseUrl, baseUrl, concurrency] = process.argv.slice(2) as [string, string, string]
await using warehouse = openPostgres<WarehouseTables>(warehouseUrl, { log: silentLog, name: 'victim', connections: 10 })
await using client = createHostClient({ baseUrl, apiKey: 'key', concurrency: Number(concurrency) })
const deps = pipelineDeps(warehouse, client, { concurrency: Number(concurrency) })
const { error } = await runPipeline(deps, firms, { requestedBy: 'command', signal: new AbortController().signal })
if (error) throw error
