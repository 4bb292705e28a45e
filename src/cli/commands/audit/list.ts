import { listAudit } from '../../../audit/audit-log.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { pointInTime } from '../../support/duration.ts'
import { formatRows } from '../../support/output.ts'

interface Arguments {
  since: string | undefined
  actor: string | undefined
  action: string | undefined
  limit: number
}

const COLUMNS = ['at', 'actor', 'address', 'action', 'target', 'result', 'details']

export const list: Handler<Arguments> = async (command, { since, actor, action, limit }) => {
  const from = since === undefined ? undefined : pointInTime(since, '--since', -1)
  await using service = await openService(command)
  const entries = await listAudit(service.db, { since: from, actor, action, limit })
  const rows = entries.map((entry) => ({ ...entry }))
  command.out.result(entries, () => (rows.length > 0 ? formatRows(rows, 'table', COLUMNS) : 'No entries.'))
}
