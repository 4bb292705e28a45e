import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The file name that identifies the sample roster. */
export const SAMPLE_ROSTER = 'sample-roster.csv'

/**
 * Deletes the sample firms in the transaction that imports the first real roster. Otherwise, a roster older than the
 * sample would be rejected.
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
