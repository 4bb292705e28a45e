import type { CommandModule } from 'yargs'
import type { CheckResult } from '../../../pipelines/checks.ts'
import { runChecks } from '../../../pipelines/checks.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { CommonArguments } from '../support/command.ts'
import { run } from '../support/command.ts'
import { openWarehouse } from '../support/databases.ts'
import { EXIT } from '../support/exit-codes.ts'

const WIDTH = 160

export const checksCommand: CommandModule<object, CommonArguments> = {
  command: 'checks',
  describe: 'Check what must hold in the warehouse, and list what does not',
  handler: run(async (command) => {
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    const results = await runChecks(warehouse.db)
    const failed = results.filter(({ failures }) => failures > 0)
    command.out.result(results, () =>
      [...results.map(line), `${results.length - failed.length} of ${results.length} checks hold.`].join('\n'),
    )
    return failed.length > 0 ? EXIT.degraded : undefined
  }),
}

function line({ name, failures, examples }: CheckResult): string {
  if (failures === 0) return `ok    ${name}`
  const shown = examples.map((example) => `        ${JSON.stringify(example).slice(0, WIDTH)}`)
  return [`FAIL  ${name}: ${failures}`, ...shown].join('\n')
}
