import { sql } from 'kysely'
import type { Pipeline } from '../runner/pipeline.ts'
import { pullMembers } from './pipeline.ts'

/**
 * Pulls the members that enrichment has changed since the last pull. Does nothing if no outcome of a submission has
 * been recorded since the start of that pull.
 */
export const refreshMembers: Pipeline = {
  name: 'refresh-members',
  async run(context) {
    const { rows } = await sql<{ completed_at: string | null }>`
      select max(outcome_at) as completed_at from warehouse.submission
      where outcome_at > coalesce((
        select max(pull.started_at) from sync.list_pull pull join sync.run on run.id = pull.run_id
        where pull.closed_at is not null and run.state = 'completed'
      ), '-infinity')`.execute(context.warehouse.db)
    const completedAt = rows[0]?.completed_at ?? undefined
    if (completedAt === undefined) return { reasons: [] }
    // An earlier pull may have read pages before the submission completed.
    return await pullMembers(context, { pipeline: 'refresh-members', notBefore: completedAt })
  },
}
