import { listApiKeys } from '../../../auth/api-keys.ts'
import { findClient } from '../../../auth/clients.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRows } from '../../support/output.ts'

export const listKeys: Handler<{ client_id: string | undefined }> = async (command, { client_id: clientId }) => {
  await using service = await openService(command)
  if (clientId !== undefined) await findClient(service.db, clientId)
  const keys = await listApiKeys(service.db, clientId)
  const rows = keys.map((key) => ({ ...key }))
  command.out.result(keys, () =>
    rows.length > 0 ? formatRows(rows, 'table') : 'No keys. Create one with `talhouse keys create CLIENT_ID`.',
  )
}
