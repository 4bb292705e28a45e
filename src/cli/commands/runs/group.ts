import type { CommandModule } from 'yargs'
import type { Run } from '../../../../pipelines/runner/runs.ts'
import { findRun, listRuns, listSteps } from '../../../../pipelines/runner/runs.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { AppError } from '../../../lib/errors.ts'
import type { CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openWarehouse } from '../../support/databases.ts'
import { formatRows } from '../../support/output.ts'
import { runText, secondsOf, stepsText } from '../../support/run-text.ts'
import { wholeNumber } from '../../support/whole-number.ts'

const listCommand: CommandModule<object, CommonArguments & { pipeline: string | undefined; limit: number }> = {
  command: 'list [pipeline]',
  describe: 'List runs, the newest first',
  builder: (cli) =>
    cli
      .positional('pipeline', { type: 'string' })
      .option('limit', { ...wholeNumber('--limit'), default: 20, describe: 'How many at the most' }),
  handler: run(async (command, args) => {
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    const runs = await listRuns(warehouse.db, { limit: args.limit, ...(args.pipeline && { pipeline: args.pipeline }) })
    command.out.result(runs, () =>
      runs.length > 0 ? formatRows(runs.map(summary), 'table') : 'No runs yet. Start one with `talhouse run firms`.',
    )
    return undefined
  }),
}

const showCommand: CommandModule<object, CommonArguments & { id: number }> = {
  command: 'show <id>',
  describe: 'Show one run, and its steps',
  builder: (cli) => cli.positional('id', { ...wholeNumber('id'), demandOption: true }),
  handler: run(async (command, args) => {
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    const found = await findRun(warehouse.db, args.id)
    if (!found) throw new AppError('not_found', `There is no run ${args.id}. \`talhouse runs list\` shows the latest.`)
    const steps = await listSteps(warehouse.db, found.id)
    command.out.result({ ...found, steps }, () => [details(found), stepsText(found, steps)].join('\n').trimEnd())
    return undefined
  }),
}

export const runsCommand: CommandModule = {
  command: 'runs <command>',
  describe: 'List and show runs of the pipelines',
  builder: (cli) => cli.command([listCommand, showCommand] as CommandModule[]).demandCommand(1),
  handler: () => undefined,
}

const summary = (of: Run) => ({
  run: of.id,
  pipeline: of.pipeline,
  outcome: of.outcome ?? of.state,
  started: of.started_at.slice(0, 19),
  seconds: secondsOf(of),
  inserted: of.inserted,
  updated: of.updated,
  unchanged: of.unchanged,
  gone: of.gone,
  quarantined: of.quarantined,
  requests: of.requests,
})

function details(of: Run): string {
  const more = [
    `started ${of.started_at}, ${of.ended_at === null ? `last sign of life ${of.heartbeat_at}` : `ended ${of.ended_at}`}`,
    `asked for by ${of.requested_by}${of.scheduled_for ? `, for ${of.scheduled_for}` : ''}; process ${of.holder.pid} on ${of.holder.host}`,
    ...(of.total === null ? [] : [`${of.done} of ${of.total}`]),
    ...(of.parent_id === null ? [] : [`a step of run ${of.parent_id}`]),
    ...(of.continues_id === null ? [] : [`took up what run ${of.continues_id} left`]),
  ]
  return [runText(of), ...more.map((line) => `  ${line}`)].join('\n')
}
