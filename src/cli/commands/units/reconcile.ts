import { pluralize } from '../../../lib/pluralize.ts'
import { reconcileUnits } from '../../../units/reconcile.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { formatRows } from '../../support/output.ts'

export const reconcile: Handler = async (command) => {
  await using service = await openService(command)
  const report = await reconcileUnits(service.db)
  const { accounts, entries, tasks, discrepancies } = report
  command.out.result(report, () => {
    const scope = [
      pluralize(accounts, 'account'),
      pluralize(entries, 'ledger entry', 'ledger entries'),
      pluralize(tasks, 'task'),
    ].join(', ')
    if (discrepancies.length === 0) return `The ledger balances: ${scope}.`
    const rows = discrepancies.map((row) => ({ ...row }))
    return `${formatRows(rows, 'table')}\n\n${pluralize(discrepancies.length, 'discrepancy', 'discrepancies')}: ${scope}.`
  })
  return discrepancies.length === 0 ? EXIT.done : EXIT.failed
}
