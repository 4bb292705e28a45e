import { sql } from 'kysely'
import type { Pipeline } from '../runner/pipeline.ts'
import { talMembers } from './pipeline.ts'

/**
 * Pulls the members that enrichment has changed since the last pull. Does nothing if no outcome of a submission has
 * been recorded since then.
 */
export const refreshMembers: Pipeline = {
  name: 'refresh-members',
  description: 'Pull the members that enrichment has changed since the last pull',
  async run(context) {
    const { rows } = await sql<{ pending: boolean }>`
      select exists (
        select from warehouse.submission
        where outcome_at > coalesce((
          select max(started_at) from sync.run where pipeline in (${talMembers.name}, ${refreshMembers.name}) and state = 'completed'
        ), '-infinity')
      ) as pending
    `.execute(context.warehouse.db)
    return rows[0]?.pending ? await talMembers.run(context) : { reasons: [] }
  },
}
