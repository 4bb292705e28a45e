import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import type { AuditEntry } from '../../../audit/audit-log.ts'
import { listAudit } from '../../../audit/audit-log.ts'
import type { Role as DatabaseRole } from '../../support/access/database-rules.ts'
import { openService, openWarehouse, usesDatabase } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { pointInTime } from '../../support/duration.ts'
import { formatRows } from '../../support/output.ts'
import { warehouseAudit } from '../../support/warehouse-audit.ts'

interface Arguments {
  since: string | undefined
  actor: string | undefined
  action: string | undefined
  limit: number
}

const COLUMNS = ['at', 'database', 'actor', 'address', 'action', 'target', 'result', 'details']

type Entry = AuditEntry & { database: DatabaseRole }

/** Lists the audit entries in the databases that this host uses, newest first. */
export const list: Handler<Arguments> = async (command, { since, actor, action, limit }) => {
  const from = since === undefined ? undefined : pointInTime(since, '--since', -1)
  const query = { since: from, actor, action, limit }
  const entries: Entry[] = []
  const add = (database: DatabaseRole, found: AuditEntry[]) =>
    entries.push(...found.map((entry) => ({ ...entry, database })))
  if (usesDatabase(command.config, 'service')) {
    await using service = await openService(command)
    add('service', await listAudit(service.db, query))
  }
  if (usesDatabase(command.config, 'warehouse')) {
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    add('warehouse', await listAudit(warehouseAudit(warehouse.db), query))
  }
  const newest = entries.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, limit)
  const rows = newest.map((entry) => ({ ...entry }))
  command.out.result(newest, () => (rows.length > 0 ? formatRows(rows, 'table', COLUMNS) : 'No entries.'))
}
