import { randomUUID } from 'node:crypto'
import type { Actor } from '../../src/audit/audit-log.ts'
import type { Db } from '../../src/db/database.ts'

export const TEST_ACTOR: Actor = { name: 'user:test', keyId: null, address: null }

/** Creates a separate client for a test and returns its ID. */
export async function givenClient(
  db: Db,
  { units = 1000, overage = false }: { units?: number; overage?: boolean } = {},
): Promise<string> {
  const clientId = `client-${randomUUID()}`
  await db
    .insertInto('client')
    .values({ client_id: clientId, name: 'A client', units_per_period: units, overage_allowed: overage })
    .execute()
  return clientId
}
