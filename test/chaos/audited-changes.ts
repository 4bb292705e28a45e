import { sql } from 'kysely'
import type { Db } from '../../src/db/database.ts'

/** A kind of change, with the number of changes in the database and the number of audit entries for these changes. */
export interface AuditedChange {
  kind: string
  changes: number
  entries: number
}

/**
 * Counts changes and their audit entries. Clients and keys that a test created without an entry also count as changes.
 */
export async function auditedChanges(db: Db): Promise<AuditedChange[]> {
  const { rows } = await sql<AuditedChange>`
    select kind, changes::int, (select count(*) from audit_entry where result = 'ok' and action = any(actions))::int as entries
    from (values
      ('companies listed', (select count(*) from tal_member), '{list.add}'::text[]),
      ('tasks', (select count(*) from task), '{task.submit}'),
      ('webhook secrets', (select count(*) from webhook_secret), '{webhook.create_secret,webhook.rotate_secret}'),
      ('erasures', (select count(*) from erasure), '{person.erase}'),
      ('grants', (select count(*) from ledger_entry where kind = 'grant'), '{units.grant}'),
      ('clients', (select count(*) from client), '{client.create}'),
      ('keys', (select count(*) from api_key), '{key.create,key.rotate}')
    ) as counted (kind, changes, actions)`.execute(db)
  return rows
}
