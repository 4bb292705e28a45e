import type { Kysely } from 'kysely'
import { listRuns, listSteps } from '../../../pipelines/runner/runs.ts'
import { nextDue } from '../../../pipelines/runner/schedule.ts'
import { readLatest } from '../../../pipelines/snapshot/manifest.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { databaseClock } from '../../lib/database-clock.ts'
import { messageOf } from '../../lib/errors.ts'
import { formatLocalTime } from '../../lib/local-time.ts'
import { ageOf } from './age-of.ts'
import type { Command } from './command.ts'
import { CONSOLE_NOT_BUILT } from './console/console-folder.ts'
import { runText, stepsText } from './run-text.ts'
import { sinkOf } from './sink.ts'

export interface Up {
  command: Command
  url: string
  /** The new API key; undefined except on the first start. */
  apiKey: string | undefined
  /** One-time sign-in link for the console; undefined if the console has not been built. */
  consoleLink: string | undefined
  /** ID of the latest run before this start. */
  lastRunId: number
  warehouse: Kysely<WarehouseTables>
}

/** Describes the installation's state and the next steps. */
export async function describeUp({ command, url, apiKey, consoleLink, lastRunId, warehouse }: Up): Promise<string> {
  const { config } = command
  const sink = await sinkOf(config)
  // An unreachable snapshot destination is not an error here: the service does not need the destination, and the
  // nightly run reports the error.
  const snapshots = await readLatest(sink).then(
    (latest) => (latest ? `${sink.url}, latest ${latest.id}` : `none yet in ${sink.url}`),
    (error: unknown) => `cannot be read from ${sink.url}: ${messageOf(error)}`,
  )
  const now = await databaseClock(warehouse).now()
  const runs = await Promise.all(
    config.schedule.pipelines.map((pipeline) => latestRun(warehouse, pipeline, lastRunId, now)),
  )
  const key = apiKey ?? '$API_KEY'
  return [
    '',
    ...runs.filter((text) => text !== undefined),
    '',
    ...(consoleLink
      ? ['Open the console (this link signs you in once, within 30 minutes):', `  ${consoleLink}`]
      : [CONSOLE_NOT_BUILT]),
    'Query the service:',
    `  curl -s ${url}/firms -H 'x-api-key: ${key}' -H 'content-type: application/json' \\`,
    `    -d '{"select": ["legal_name", "region", "aum_total_usd"], "order": "aum_total_usd.desc", "limit": 3}'`,
    ...(apiKey ? [] : [`  (create a key: npx talhouse keys create main)`]),
    `  Documentation: ${url}/docs`,
    'Query the warehouse:',
    '  npx talhouse psql',
    `  npx talhouse query "select region, count(*), sum(aum_total_usd) from warehouse.firm group by region"`,
    'Snapshots:',
    `  ${snapshots}`,
    `Next run: ${formatLocalTime(nextDue(config.schedule, now), config.schedule.time_zone)}. Press Ctrl-C to stop.`,
  ].join('\n')
}

/**
 * Describes a pipeline's latest run: with its steps if the run was just started, otherwise with its age and outcome.
 */
async function latestRun(
  warehouse: Kysely<WarehouseTables>,
  pipeline: string,
  lastRunId: number,
  now: Date,
): Promise<string | undefined> {
  const [run] = await listRuns(warehouse, { pipeline, limit: 1 })
  if (!run) return undefined
  if (run.id <= lastRunId) {
    const minutes = Math.round((now.getTime() - Date.parse(run.started_at)) / 60_000)
    const age =
      minutes < 120
        ? `${minutes} min ago`
        : minutes < 2880
          ? `${Math.round(minutes / 60)} h ago`
          : ageOf(run.started_at, now)
    return `Last ${pipeline} run ${age}: ${run.outcome ?? run.state}`
  }
  const steps = stepsText(run, await listSteps(warehouse, run.id))
  return [runText(run), ...(steps ? ['', steps] : [])].join('\n')
}
