import type { CommandModule } from 'yargs'
import { planBackfill } from '../../../../pipelines/backfill/plan.ts'
import { runBackfill } from '../../../../pipelines/backfill/run-backfill.ts'
import { listBackfills, moveTo, readBackfill, resetFailed, saveBackfill } from '../../../../pipelines/backfill/store.ts'
import type { Verifiable } from '../../../../pipelines/compare/difference.ts'
import { VERIFIABLE } from '../../../../pipelines/compare/difference.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Postgres } from '../../../lib/postgres.ts'
import { backfillText } from '../../support/backfill-text.ts'
import type { Command, CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { ExitCode } from '../../support/exit-codes.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { openPipelines } from '../../support/pipeline-deps.ts'
import { runWithProgress } from '../../support/run-with-progress.ts'
import { wholeNumber } from '../../support/whole-number.ts'

interface PlanArguments extends CommonArguments {
  what: Verifiable
  from: string | undefined
  members: string[] | undefined
}

const planCommand: CommandModule<object, PlanArguments> = {
  command: 'plan <what>',
  describe: 'Say what a backfill would take, and save it as a plan; nothing is fetched yet',
  builder: (cli) =>
    cli
      .positional('what', { choices: VERIFIABLE, demandOption: true })
      .option('from', { type: 'string', describe: 'History: changes after this day' })
      .option('members', { type: 'string', array: true, describe: 'These domains alone' }),
  handler: run(async (command, { what, from, members }) => {
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    const plan = await planBackfill(warehouse.db, what, { from, members }, command.config.pipelines)
    const backfill = await readBackfill(warehouse.db, await saveBackfill(warehouse.db, plan))
    command.out.result(
      backfill,
      () => `${backfillText(backfill)}\n\`talhouse backfill run ${backfill.id}\` carries it out.`,
    )
    return undefined
  }),
}

const listCommand: CommandModule<object, CommonArguments> = {
  command: 'list',
  describe: 'All backfills, the newest first, with estimate and actual',
  handler: run(async (command) => {
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    const backfills = await listBackfills(warehouse.db)
    command.out.result(backfills, () =>
      backfills.length > 0
        ? backfills.map(backfillText).join('\n')
        : 'No backfills yet. `talhouse backfill plan` makes one.',
    )
    return undefined
  }),
}

type Before = (warehouse: Postgres<WarehouseTables>, id: number) => Promise<void>

/** The three ways to set one going differ in what is done before. */
const runsOne = (
  name: string,
  describe: string,
  before: Before,
): CommandModule<object, CommonArguments & { id: number }> => ({
  command: `${name} <id>`,
  describe,
  builder: (cli) => cli.positional('id', { ...wholeNumber('id'), demandOption: true }),
  handler: run(async (command, { id }) => {
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    await before(warehouse, id)
    return await carryOut(command, warehouse, id)
  }),
})

async function carryOut(command: Command, warehouse: Postgres<WarehouseTables>, id: number): Promise<ExitCode> {
  await using pipelines = await openPipelines(command, warehouse)
  const { run: ended, error } = await runWithProgress(command, pipelines.deps, runBackfill(id))
  const backfill = await readBackfill(warehouse.db, id)
  command.out.result(backfill, () => backfillText(backfill))
  if (error) throw error
  return ended.outcome === 'ok' ? EXIT.done : EXIT.degraded
}

const pauseCommand: CommandModule<object, CommonArguments & { id: number }> = {
  command: 'pause <id>',
  describe: 'Let a backfill stop behind the part that is under way',
  builder: (cli) => cli.positional('id', { ...wholeNumber('id'), demandOption: true }),
  handler: run(async (command, { id }) => {
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    const isPaused = await moveTo(warehouse.db, id, 'paused')
    const backfill = await readBackfill(warehouse.db, id)
    if (!isPaused) throw new AppError('conflict', `Backfill ${id} is ${backfill.state} already.`)
    command.out.result(backfill, () => backfillText(backfill))
    return undefined
  }),
}

const unlessPaused: Before = async ({ db }, id) => {
  const { state } = await readBackfill(db, id)
  if (state === 'paused')
    throw new AppError('conflict', `Backfill ${id} is paused: \`talhouse backfill resume ${id}\` goes on with it.`)
}

const unpause: Before = async ({ db }, id) => {
  const { state } = await readBackfill(db, id)
  if (state === 'paused') await moveTo(db, id, 'running')
}

export const backfillCommand: CommandModule = {
  command: 'backfill <command>',
  describe: 'Plan, run and follow the fetching of what the nights did not',
  builder: (cli) =>
    cli
      .command([
        planCommand,
        listCommand,
        runsOne('run', 'Carry out a plan, newest data first; a killed one goes on where it was', unlessPaused),
        pauseCommand,
        runsOne('resume', 'Go on with a paused backfill', unpause),
        runsOne('retry-failed', 'Do the failed parts again', async (warehouse, id) => {
          await unlessPaused(warehouse, id)
          if ((await resetFailed(warehouse.db, id)) === 0)
            throw new AppError('not_found', `No part of backfill ${id} has failed.`)
        }),
      ] as unknown as CommandModule[])
      .demandCommand(1, 'Say what to do: plan, list, run, pause, resume or retry-failed.'),
  handler: () => undefined,
}
