import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { firms } from '../../pipelines/firms/pipeline.ts'
import { createHostClient } from '../../pipelines/host/host-client.ts'
import type { Pipeline, PipelineDeps } from '../../pipelines/runner/pipeline.ts'
import { runPipeline } from '../../pipelines/runner/run-pipeline.ts'
import type { Run } from '../../pipelines/runner/runs.ts'
import type { PipelineSettings } from '../../pipelines/runner/settings.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { testDatabase } from './database.ts'
import type { FirmHost } from './firm-host.ts'
import { PIPELINE_SETTINGS, pipelineDeps } from './pipeline-deps.ts'

export interface Bench extends AsyncDisposable {
  warehouse: Postgres<WarehouseTables>
  deps: PipelineDeps
  /** Executes one run. */
  run(options?: { signal?: AbortSignal; settings?: Partial<PipelineSettings>; pipeline?: Pipeline }): Promise<Run>
}

/** A separate warehouse, and a client of the host. */
export async function pipelineBench(
  host: Pick<FirmHost, 'url'> & { key?: string },
  settings: Partial<PipelineSettings> = {},
  given?: Postgres<WarehouseTables>,
): Promise<Bench> {
  const warehouse = given ?? (await testDatabase<WarehouseTables>('warehouse'))
  const all = { ...PIPELINE_SETTINGS, ...settings }
  const client = createHostClient({
    baseUrl: host.url,
    apiKey: host.key ?? 'key',
    concurrency: 16,
    timeout: all.timeout_seconds * 1000,
    retry: { minDelay: 1, maxDelay: 5, attempts: 5 },
  })
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-bench-'))
  const deps = pipelineDeps(warehouse, client, all, folder)
  return {
    warehouse,
    deps,
    async run({ signal = new AbortController().signal, settings: own = {}, pipeline = firms } = {}) {
      const given = { ...deps, settings: { ...all, ...own } }
      return (await runPipeline(given, pipeline, { requestedBy: 'command', signal })).run
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]()
      await warehouse[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the data columns of every firm, in a stable order. */
export async function firmContents(warehouse: Postgres<WarehouseTables>): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{ firm: Record<string, unknown> }>`
    select to_jsonb(firm) - array['run_id', 'recorded_at', 'first_seen_at', 'last_changed_at'] as firm
    from warehouse.firm order by firm_id
  `.execute(warehouse.db)
  return rows.map(({ firm }) => firm)
}
