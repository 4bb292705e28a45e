import { sql } from 'kysely'
import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import { pluralize } from '../../src/lib/pluralize.ts'
import type { Difference } from '../compare/difference.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { fetchMemberEvents } from './fetch-member-events.ts'
import { eventName } from './read-event.ts'
import { insertEvents } from './write-events.ts'

/**
 * Fetches the events of the members that differ and rewrites those events. Events that the service no longer returns stay,
 * because a host may drop old history. A record that does not match its events is left to `repair members`.
 */
export async function repairHistory(context: RunContext, differences: readonly Difference[]): Promise<string[]> {
  const { db } = context.warehouse
  const events = differences.filter(({ entity, kind }) => entity === 'history_event' && kind !== 'extra')
  await forEachConcurrent(
    Map.groupBy(events, ({ key }) => key),
    context.settings.concurrency,
    context.signal,
    async ([domain, of]) => {
      const fetched = await fetchMemberEvents(db, context.client, domain, undefined, context.signal)
      const shown = new Set(fetched.events.map(eventName))
      const wrong = of.flatMap(({ kind, record }) =>
        kind === 'differs' && record && shown.has(record) ? [record] : [],
      )
      const written = await db.transaction().execute(async (trx) => {
        if (wrong.length > 0)
          await trx
            .deleteFrom('warehouse.history_event')
            .where('domain', '=', domain)
            .where(sql<string>`concat_ws('/', entity, key, event_key)`, 'in', wrong)
            .execute()
        return await insertEvents(trx, fetched, context.runId)
      })
      addCounts(context.counts, written)
    },
  )
  const extra = differences.filter(({ kind }) => kind === 'extra').length
  const mismatches = differences.filter(({ entity }) => entity === 'company').length
  return [
    ...(extra > 0
      ? [`${pluralize(extra, 'event')} that the service no longer returns ${extra === 1 ? 'was' : 'were'} kept`]
      : []),
    ...(mismatches > 0
      ? [
          `${pluralize(mismatches, 'field')} ${mismatches === 1 ? 'does' : 'do'} not match the latest event: run \`talhouse verify members\` and \`talhouse repair members\``,
        ]
      : []),
  ]
}
