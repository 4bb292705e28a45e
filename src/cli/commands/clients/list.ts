import { listClients } from '../../../auth/clients.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRows } from '../../support/output.ts'

const COLUMNS = ['client_id', 'name', 'plan', 'units_per_period', 'period', 'trial_ends_at', 'created_at']

export const list: Handler = async (command) => {
  await using service = await openService(command)
  const clients = await listClients(service.db)
  const rows = clients.map((client) => ({ ...client }))
  command.out.result(clients, () =>
    rows.length > 0
      ? formatRows(rows, 'table', COLUMNS)
      : 'No clients yet. Create one with `talhouse clients create NAME`.',
  )
}
