import type { Kysely } from 'kysely'
import { listRuns, listSteps } from '../../../pipelines/runner/runs.ts'
import { nextDue } from '../../../pipelines/runner/schedule.ts'
import { readLatest } from '../../../pipelines/snapshot/manifest.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { Command } from './command.ts'
import { runText, stepsText } from './run-text.ts'
import { sinkOf } from './sink.ts'

export interface Up {
  command: Command
  url: string
  /** Undefined when it was shown at an earlier start. */
  apiKey: string | undefined
  /** Where the sample roster lies that was taken in now. */
  sample: string | undefined
  warehouse: Kysely<WarehouseTables>
  analyst: string
}

/** What there is now, and how to reach it, in a few lines. */
export async function describeUp({ command, url, apiKey, sample, warehouse, analyst }: Up): Promise<string> {
  const { config } = command
  const rounds = await Promise.all(config.schedule.pipelines.map((pipeline) => latestRound(warehouse, pipeline)))
  const sink = await sinkOf(config)
  const latest = await readLatest(sink)
  const key = apiKey ?? '$API_KEY'
  return [
    '',
    ...rounds.filter((round) => round !== undefined),
    '',
    ...(sample ? [`The store was empty: it holds an invented sample roster now (${sample}).`, ''] : []),
    'Ask the service:',
    `  curl -s ${url}/firms -H 'x-api-key: ${key}' -H 'content-type: application/json' \\`,
    `    -d '{"select": ["legal_name", "region", "aum_total_usd"], "order": "aum_total_usd.desc", "limit": 3}'`,
    ...(apiKey ? [] : [`  (another key: npx talhouse keys create main)`]),
    `  Its documentation: ${url}/docs`,
    'Read the warehouse:',
    `  psql '${analyst}'`,
    `  npx talhouse query "select region, count(*), sum(aum_total_usd) from warehouse.firm group by region"`,
    'The snapshot:',
    `  ${latest ? `${sink.url}, latest ${latest.latest.id}` : `none yet in ${sink.url}`}`,
    `Next run: ${nextDue(config.schedule, new Date()).toISOString()}. Ctrl-C stops everything.`,
  ].join('\n')
}

/** The pipeline's latest run, with a line for each of its steps. */
async function latestRound(warehouse: Kysely<WarehouseTables>, pipeline: string): Promise<string | undefined> {
  const [run] = await listRuns(warehouse, { pipeline, limit: 1 })
  if (!run) return undefined
  const steps = stepsText(run, await listSteps(warehouse, run.id))
  return [runText(run), ...(steps ? ['', steps] : [])].join('\n')
}
