import { listLedger } from '../../../units/ledger.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRows } from '../../support/output.ts'

const COLUMNS = ['created_at', 'kind', 'units', 'balance_after', 'task_id', 'reason']

export const listLedgerEntries: Handler<{ client_id: string; limit: number }> = async (command, args) => {
  await using service = await openService(command)
  const entries = await listLedger(service.db, args.client_id, args.limit)
  command.out.result(entries, () =>
    entries.length > 0 ? formatRows(entries, 'table', COLUMNS) : 'No ledger entries yet.',
  )
}
