import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { COMPANY, MEMBER, PERSON, SIGNAL } from './row-shape.ts'

/**
 * Runs `analyze` on the members' tables after the first pull. Until autovacuum runs, the planner would assume that the
 * tables are empty and use nested loops for the freshness views (5 s instead of 25 ms for 10,000 members).
 */
export async function analyzeMembers(db: Kysely<WarehouseTables>): Promise<void> {
  await sql`analyze ${sql.join([MEMBER, COMPANY, PERSON, SIGNAL].map(({ table }) => sql.table(table)))}`.execute(db)
}
