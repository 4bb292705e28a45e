import { findClient } from '../../../auth/clients.ts'
import { listLedger } from '../../../units/ledger.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRows } from '../../support/output.ts'

const COLUMNS = ['created_at', 'kind', 'units', 'balance_after', 'task_id', 'reason']

export const listLedgerEntries: Handler<{ client_id: string; limit: number }> = async (
  command,
  { client_id: clientId, limit },
) => {
  await using service = await openService(command)
  await findClient(service.db, clientId)
  const entries = await listLedger(service.db, clientId, limit)
  command.out.result(entries, () =>
    entries.length > 0 ? formatRows(entries, 'table', COLUMNS) : 'No ledger entries yet.',
  )
}
