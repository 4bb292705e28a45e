import { sql } from 'kysely'
import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import { pluralize } from '../../src/lib/pluralize.ts'
import type { Difference } from '../compare/difference.ts'
import { lockSuppression } from '../erasures/suppression.ts'
import { Host } from '../host-profile/host.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { fetchMemberEvents } from './fetch-member-events.ts'
import { deleteEvents, deleteMarks, resolveEvents } from './member-differences.ts'
import { eventName } from './read-event.ts'
import { insertEvents } from './write-events.ts'

const REPAIRED: ReadonlySet<string> = new Set(['history_event', 'watermark', 'quarantine'])

/**
 * Fetches the events of members with differences, rewrites those that differ, and deletes extra events that the service
 * still does not return. Deletes watermarks that are ahead of the data, so the next pull reads from the beginning. Does
 * not change a record that does not match its events; `repair members` does.
 */
export async function repairHistory(context: RunContext, differences: readonly Difference[]): Promise<string[]> {
  const { db } = context.warehouse
  const host = await Host.open(context)
  const events = differences.filter(({ entity }) => REPAIRED.has(entity))
  await forEachConcurrent(
    Map.groupBy(events, ({ key }) => key),
    context.settings.concurrency,
    context.signal,
    async ([domain, of]) => {
      const fetched = await fetchMemberEvents({ ...context, host }, domain)
      const shown = new Set(fetched.events.map(eventName))
      const recordsOf = (wanted: string): string[] =>
        of.flatMap(({ entity, record }) => (entity === wanted && record ? [record] : []))
      const wrong = of.flatMap(({ entity, kind, record }) =>
        entity === 'history_event' && record && kind !== 'missing' && shown.has(record) === (kind === 'differs')
          ? [record]
          : [],
      )
      const written = await db.transaction().execute(async (trx) => {
        await lockSuppression(trx)
        await sql`select from warehouse.tal_member where domain = ${domain} for update`.execute(trx)
        await deleteEvents(trx, domain, wrong)
        await deleteMarks(trx, recordsOf('watermark'))
        await resolveEvents(trx, recordsOf('quarantine'))
        return await insertEvents(trx, fetched, context.runId)
      })
      addCounts(context.counts, written)
    },
  )
  const mismatches = differences.filter(({ entity }) => entity === 'company').length
  return [
    ...(mismatches > 0
      ? [
          `${pluralize(mismatches, 'field')} ${mismatches === 1 ? 'does' : 'do'} not match the latest event: run \`talhouse verify members\` and \`talhouse repair members\``,
        ]
      : []),
  ]
}
