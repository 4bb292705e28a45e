import type { CommandModule } from 'yargs'
import type { Difference, Verifiable } from '../../../pipelines/compare/difference.ts'
import { VERIFIABLE } from '../../../pipelines/compare/difference.ts'
import { repair, verify } from '../../../pipelines/verify.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { CommonArguments } from '../support/command.ts'
import { run } from '../support/command.ts'
import { openWarehouse } from '../support/databases.ts'
import { EXIT } from '../support/exit-codes.ts'
import { openPipelines } from '../support/pipeline-deps.ts'
import { runText } from '../support/run-text.ts'
import { runWithProgress } from '../support/run-with-progress.ts'
import { wholeNumber } from '../support/whole-number.ts'

interface VerifyArguments extends CommonArguments {
  what: Verifiable
  quick: boolean
  sample: number | undefined
}

const SHOWN = 50

export const verifyCommand: CommandModule<object, VerifyArguments> = {
  command: 'verify <what>',
  describe: 'Compare the warehouse with the service, and name what differs',
  builder: (cli) =>
    cli
      .positional('what', { choices: VERIFIABLE, demandOption: true })
      .option('quick', { type: 'boolean', default: false, describe: 'Firms: compare counts of key ranges first' })
      .option('sample', {
        ...wholeNumber('--sample'),
        describe: 'Members and history: ask for so many members at the most',
      }),
  handler: run(async (command, { what, quick, sample }) => {
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    await using pipelines = await openPipelines(command, warehouse)
    const options = { quick, ...(sample !== undefined && { sample }) }
    const found = await verify({ ...pipelines.deps, signal: command.signal }, what, options)
    const { differences } = found
    command.out.result(found, () =>
      [
        `${found.compared} rows compared in ${found.requests} requests: ${differences.length === 0 ? 'equal' : `${differences.length} differ`}`,
        ...differences.slice(0, SHOWN).map(differenceText),
        ...(differences.length > SHOWN ? [`  ... and ${differences.length - SHOWN} more (--json shows all)`] : []),
        ...found.notes.map((note) => `  ! ${note}`),
        ...(differences.length > 0 ? [`\`talhouse repair ${what}\` fetches these alone.`] : []),
      ].join('\n'),
    )
    return differences.length > 0 ? EXIT.degraded : undefined
  }),
}

export const repairCommand: CommandModule<object, CommonArguments & { what: Verifiable }> = {
  command: 'repair <what>',
  describe: 'Fetch what the latest comparison named, and nothing else',
  builder: (cli) => cli.positional('what', { choices: VERIFIABLE, demandOption: true }),
  handler: run(async (command, { what }) => {
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    await using pipelines = await openPipelines(command, warehouse)
    const { run: ended, error } = await runWithProgress(command, pipelines.deps, repair(what))
    command.out.result(ended, () => runText(ended))
    if (error) throw error
    return ended.outcome === 'ok' ? undefined : EXIT.degraded
  }),
}

const differenceText = ({ kind, entity, key, record, fields }: Difference): string =>
  `  ${kind.padEnd(7)}  ${entity} ${key}${record ? ` / ${record}` : ''}${fields ? `: ${fields.join(', ')}` : ''}`
