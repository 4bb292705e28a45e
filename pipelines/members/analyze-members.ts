import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { COMPANY, MEMBER, PERSON, SIGNAL } from './row-shape.ts'

/**
 * Has PostgreSQL count the members' tables anew. It would by itself, within a minute or two; until then it takes tables that have just been filled
 * for almost empty, and the views of freshness compare each member with each (10,000 members: 5 s instead of 25 ms).
 */
export async function analyzeMembers(db: Kysely<WarehouseTables>): Promise<void> {
  await sql`analyze ${sql.join([MEMBER, COMPANY, PERSON, SIGNAL].map(({ table }) => sql.table(table)))}`.execute(db)
}
