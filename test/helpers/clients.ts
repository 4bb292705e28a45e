import { randomUUID } from 'node:crypto'
import type { Db } from '../../src/db/database.ts'

/** Creates a separate client for a test and returns its id. */
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
