import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Budget, BudgetUpdate } from '../../src/contract/warehouse-budget.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

/** The budget set through the API, or the configured budget if none was set. */
export async function readBudget(
  db: Kysely<WarehouseTables>,
  { units_per_night, keep_units }: BudgetUpdate,
): Promise<Budget> {
  const set = await db
    .selectFrom('sync.budget')
    .select(['units_per_night', 'keep_units', 'changed_at'])
    .executeTakeFirst()
  return set ?? { units_per_night, keep_units, changed_at: null }
}

/** Sets the budget; null restores the configured budget. */
export async function setBudget(db: Kysely<WarehouseTables>, budget: BudgetUpdate | null): Promise<void> {
  if (budget === null) {
    await db.deleteFrom('sync.budget').execute()
    return
  }
  await db
    .insertInto('sync.budget')
    .values(budget)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...budget, changed_at: sql<string>`now()` }))
    .execute()
}
