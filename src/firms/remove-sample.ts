import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** By this name a store knows that its roster is an invented one. */
export const SAMPLE_ROSTER = 'sample-roster.csv'

/**
 * Before the first real roster is merged, the invented one goes without a trace: its firms are nobody's, and its day must not bar an older
 * roster. In the import's transaction, so that readers see the one or the other.
 */
export async function removeSample(db: Db, file: string): Promise<void> {
  if (file === SAMPLE_ROSTER) return
  const { rows } = await sql<{
    sample: boolean | null
  }>`select bool_and(file = ${SAMPLE_ROSTER}) as sample from firm_import`.execute(db)
  if (rows[0]?.sample !== true) return
  for (const table of ['firm', 'firm_change', 'firm_quarantine', 'firm_import'] as const)
    await db.deleteFrom(table).execute()
  await db.updateTable('firm_dataset').set({ as_of: null }).execute()
}
