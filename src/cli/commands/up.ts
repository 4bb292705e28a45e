import { join, resolve } from 'node:path'
import type { CommandModule } from 'yargs'
import { findPipeline } from '../../../pipelines/registry.ts'
import { runDue, runScheduler } from '../../../pipelines/runner/scheduler.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { ServiceTables } from '../../db/database.ts'
import type { DemoWeb } from '../../demo/start-demo-web.ts'
import { importSampleIfEmpty } from '../../form-adv/import-sample.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Postgres } from '../../lib/postgres.ts'
import { analystAddress } from '../support/analyst-address.ts'
import type { Command, CommonArguments } from '../support/command.ts'
import { run } from '../support/command.ts'
import { openService, openWarehouse } from '../support/databases.ts'
import { besideDemoWeb, enrichDemoCompanies, listDemoCompanies, openDemoWeb } from '../support/demo-companies.ts'
import { openHttpService } from '../support/http-service.ts'
import { ensureMainClient, MAIN_CLIENT } from '../support/main-client.ts'
import type { OpenPipelines } from '../support/pipeline-deps.ts'
import { openPipelines } from '../support/pipeline-deps.ts'
import { describeUp } from '../support/up-text.ts'
import { openWorker } from '../support/work-service.ts'

/** Firms of the sample roster that an empty store is filled with. */
const SAMPLE_FIRMS = 400

export const upCommand: CommandModule<object, CommonArguments> = {
  command: 'up',
  describe: 'Run everything in one process: database, service, workers and schedule',
  handler: run(async (command) => {
    const { schedule } = command.config
    await using service = await openService(command)
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    const sample = await fillIfEmpty(command, service)
    const apiKey = await ensureMainClient(service.db)
    await using server = await openHttpService(command, service)
    command.out.line(`talhouse answers at ${server.url}`)
    if (apiKey) command.out.line(`API key of client ${MAIN_CLIENT}, shown this once: ${apiKey}`)

    await using web = await openDemoWeb(command, service.db)
    const isNew = web !== undefined && (await listDemoCompanies(service.db, web))
    await using _worker = openWorker(besideDemoWeb(command, web), service)
    await using pipelines = await openPipelines(command, warehouse, server.url)
    await bringUpToDate(command, pipelines, isNew ? web : undefined)
    // Being stopped is how it ends, at work as at rest.
    if (command.signal.aborted) return undefined
    const analyst = await analystAddress(command, warehouse)
    command.out.line(await describeUp({ command, url: server.url, apiKey, sample, warehouse: warehouse.db, analyst }))
    await runScheduler(pipelines.deps, schedule, schedule.pipelines.map(findPipeline), command.signal)
    return undefined
  }),
}

/** Runs what is due, after the look at the invented companies where they are new. Returns early when it is stopped. */
async function bringUpToDate(
  { config, out, signal }: Command,
  { deps }: OpenPipelines,
  newWeb: DemoWeb | undefined,
): Promise<void> {
  try {
    if (newWeb) {
      out.line(`Enriching ${newWeb.companies.length} invented companies from their websites ...`)
      await enrichDemoCompanies(deps.client, newWeb, signal)
    }
    out.line('Bringing the warehouse up to date ...')
    await runDue(deps, config.schedule, config.schedule.pipelines.map(findPipeline), signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** A store that never had a roster gets an invented one. Returns where that lies. */
async function fillIfEmpty({ config, signal }: Command, service: Postgres<ServiceTables>): Promise<string | undefined> {
  const folder = resolve(config.data_dir, 'sample')
  const { max_file_megabytes, max_gone_share: maxGoneShare } = config.firms
  const options = {
    firms: SAMPLE_FIRMS,
    maxBytes: max_file_megabytes * 2 ** 20,
    maxGoneShare,
    clock: systemClock,
    signal,
  }
  const report = await importSampleIfEmpty(service, folder, options)
  return report && join(folder, 'sample-roster.csv')
}
