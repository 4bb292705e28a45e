import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHostClient } from '../../pipelines/host/host-client.ts'
import type { PipelineDeps } from '../../pipelines/runner/pipeline.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import type { DemoWeb } from '../../src/demo/start-demo-web.ts'
import { startDemoWeb } from '../../src/demo/start-demo-web.ts'
import { importSampleIfEmpty } from '../../src/form-adv/import-sample.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { testDatabase } from './database.ts'
import { startDemoWorker } from './demo-worker.ts'
import { eventually } from './eventually.ts'
import { pipelineDeps } from './pipeline-deps.ts'
import type { TestService } from './service.ts'
import { startService } from './service.ts'

/** The real service with a sample roster, a worker with every source, the demo web, and an empty warehouse. */
export interface DemoHouse extends AsyncDisposable {
  service: TestService
  warehouse: Postgres<WarehouseTables>
  deps: PipelineDeps
  web: DemoWeb
  /** Switches the demo web to its later edition. */
  changeWeb(): void
  domains: string[]
}

interface Submitted {
  task_id: string
}

/**
 * Opens a demo house whose companies are on the list. Their people and news are already enriched; their company fields
 * are left for a nightly run.
 */
export async function openDemoHouse({ companies, firms }: { companies: number; firms: number }): Promise<DemoHouse> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-e2e-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const service = stack.use(await startService({ plan: { units_per_period: 1000 } }))
  await importSampleIfEmpty(service.postgres, folder, {
    firms,
    maxBytes: 2 ** 26,
    maxGoneShare: 0.1,
  })
  let isLater = false
  const web = stack.use(await startDemoWeb({ companies, isLater: () => isLater }))
  const domains = web.companies.map(({ domain }) => domain)
  stack.use(startDemoWorker(service, web))
  await service.call('POST', '/v2/clients/me/tal/companies', { body: { domains, source: 'demo' } })
  await enrich(service, domains)
  const warehouse = stack.use(await testDatabase<WarehouseTables>('warehouse'))
  const client = stack.use(createHostClient({ baseUrl: service.url, apiKey: service.key, concurrency: 8 }))
  const deps = pipelineDeps(warehouse, client, {}, folder)
  const rest = stack.move()
  const changeWeb = () => {
    isLater = true
  }
  return { service, warehouse, deps, web, changeWeb, domains, [Symbol.asyncDispose]: () => rest.disposeAsync() }
}

/** Enriches the people and news of the companies, ten companies at a time. */
async function enrich(service: TestService, domains: string[]): Promise<void> {
  const tasks: Submitted[] = []
  for (let from = 0; from < domains.length; from += 10)
    for (const path of ['/v2/search/leadership', '/v2/discover/signals'])
      tasks.push(
        (await service.call<Submitted>('POST', path, { body: { domains: domains.slice(from, from + 10) } })).body,
      )
  for (const { task_id } of tasks)
    await eventually('the task ends', async () => {
      const task = await service.call<{ completed_at: string | null }>('GET', `/v2/tasks/${task_id}`)
      return task.body.completed_at
    })
}
