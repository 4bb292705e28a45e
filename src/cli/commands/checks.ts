import type { CheckResult } from '../../../pipelines/checks/check.ts'
import { isFailed } from '../../../pipelines/checks/check.ts'
import { listChecks } from '../../../pipelines/checks/expectations.ts'
import { runChecks } from '../../../pipelines/checks/run-checks.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { printable } from '../../lib/control-characters.ts'
import { openWarehouse } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'
import { EXIT } from '../support/exit-codes.ts'

const WIDTH = 160

export const checks: Handler = async (command) => {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  const results = await runChecks(warehouse.db, listChecks(command.config.pipelines.expectations))
  const checked = results.filter(({ kind }) => kind !== 'note')
  const failed = results.filter(isFailed)
  command.out.result(results, () =>
    [...results.map(line), `${checked.length - failed.length} of ${checked.length} checks passed.`].join('\n'),
  )
  return failed.length > 0 ? EXIT.degraded : EXIT.done
}

function line({ name, kind, failures, examples, error }: CheckResult): string {
  if (error !== null) return `FAIL  ${name}: the query failed: ${printable(error)}`
  if (failures === 0) return `ok    ${name}`
  const shown = examples.map((example) => `        ${JSON.stringify(example).slice(0, WIDTH)}`)
  return [`${kind === 'note' ? 'note' : 'FAIL'}  ${name}: ${failures}`, ...shown].join('\n')
}
