/**
 * Executes a nightly run in a process that a test kills: node nightly-victim.ts WAREHOUSE_URL SERVICE_URL FOLDER
 * SETTINGS [API_KEY]
 */

import { createHostClient } from '../../pipelines/host/host-client.ts'
import { nightly } from '../../pipelines/nightly.ts'
import { runPipeline } from '../../pipelines/runner/run-pipeline.ts'
import type { PipelineSettings } from '../../pipelines/runner/settings.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres } from '../../src/lib/postgres.ts'
import { pipelineDeps } from '../helpers/pipeline-deps.ts'

const [warehouseUrl, baseUrl, folder, settings, apiKey = 'key'] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
]
await using warehouse = openPostgres<WarehouseTables>(warehouseUrl, { log: silentLog, name: 'victim', connections: 10 })
await using client = createHostClient({ baseUrl, apiKey, concurrency: 4 })
const deps = pipelineDeps(warehouse, client, JSON.parse(settings) as Partial<PipelineSettings>, folder)
const { error } = await runPipeline(deps, nightly, { requestedBy: 'command', signal: new AbortController().signal })
if (error) throw error
