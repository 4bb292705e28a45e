import { sql } from 'kysely'
import type { RunContext } from './pipeline.ts'

/**
 * The run's night, as a date in the form YYYY-MM-DD in the schedule's time zone: the date on which the run or its
 * parent was scheduled, or the current date if it was not scheduled.
 */
export async function nightOf({ warehouse, runId, clock, timeZone }: RunContext): Promise<string> {
  const now = (await clock.now()).toISOString()
  const { rows } = await sql<{ night: string }>`
    select to_char(coalesce(run.scheduled_for, parent.scheduled_for, ${now}::timestamptz) at time zone ${timeZone}, 'YYYY-MM-DD') as night
    from sync.run left join sync.run parent on parent.id = run.parent_id
    where run.id = ${runId}
  `.execute(warehouse.db)
  return rows[0]?.night as string
}
