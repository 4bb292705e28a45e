import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import type { Difference } from '../compare/difference.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { fetchMemberEvents } from './fetch-member-events.ts'
import { insertEvents } from './write-events.ts'

/**
 * Fetches the events of the members that were named. Those that differ are written anew. What the service no longer shows stays, for a
 * host may forget what is long past, and so does a record that its events do not fold to: `repair members` fetches that.
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
      const shown = new Set(fetched.events.map(({ event_key }) => event_key))
      const wrong = of.flatMap(({ kind, record }) =>
        kind === 'differs' && record && shown.has(record) ? [record] : [],
      )
      const written = await db.transaction().execute(async (trx) => {
        if (wrong.length > 0)
          await trx
            .deleteFrom('warehouse.history_event')
            .where('domain', '=', domain)
            .where('event_key', 'in', wrong)
            .execute()
        return await insertEvents(trx, fetched, context.runId)
      })
      addCounts(context.counts, written)
    },
  )
  const extra = differences.filter(({ kind }) => kind === 'extra').length
  const unfolded = differences.filter(({ entity }) => entity === 'company').length
  return [
    ...(extra > 0 ? [`${extra} events that the service does not show were left as they are`] : []),
    ...(unfolded > 0
      ? [`${unfolded} fields differ from what their events say: \`talhouse repair members\` compares the records`]
      : []),
  ]
}
