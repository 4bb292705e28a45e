import { sql } from 'kysely'
import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import type { Comparable } from '../compare/compare-rows.ts'
import { compareRows } from '../compare/compare-rows.ts'
import type { Difference, Verification } from '../compare/difference.ts'
import type { MemberReader } from '../members/verify.ts'
import { sampleEvenly } from '../members/verify.ts'
import { fetchMemberEvents } from './fetch-member-events.ts'
import { listFoldMismatches } from './fold-mismatches.ts'
import { eventName } from './read-event.ts'

const EVENT: Comparable = {
  table: 'warehouse.history_event',
  key: { domain: 'text', entity: 'text', key: 'text', event_key: 'text' },
  columns: {
    field: 'text',
    old_value: 'jsonb',
    new_value: 'jsonb',
    changed_at: 'timestamptz',
    source: 'text',
    task_id: 'text',
  },
}

/**
 * Compares the events of members (at most `sample` of them) with the service, and, without requests, each company's
 * record with its latest events.
 */
export async function verifyHistory(
  reader: MemberReader,
  { sample = Number.POSITIVE_INFINITY } = {},
): Promise<Verification> {
  const { db } = reader.warehouse
  const members = await db
    .selectFrom('warehouse.company')
    .select('domain')
    .where('gone_at', 'is', null)
    .orderBy('domain')
    .execute()
  const domains = sampleEvenly(
    members.map(({ domain }) => domain),
    sample,
  )
  const verification: Verification = { compared: 0, differences: [], notes: [] }
  if (domains.length < members.length)
    verification.notes.push(`--sample: the events of ${domains.length} of ${members.length} members were compared`)
  await forEachConcurrent(domains, reader.settings.concurrency, reader.signal, async (domain) => {
    const { events } = await fetchMemberEvents(db, reader.client, domain, undefined, reader.signal)
    verification.compared += events.length
    for (const { key, fields } of await compareRows(
      db,
      EVENT,
      events.map((event) => ({ ...event })),
    ))
      verification.differences.push({
        kind: fields ? 'differs' : 'missing',
        entity: 'history_event',
        key: domain,
        record: key.slice(1).join('/'),
        ...(fields && { fields }),
      })
    verification.differences.push(...(await listExtra(reader, domain, events.map(eventName))))
  })
  for (const { domain, field } of await listFoldMismatches(db))
    verification.differences.push({ kind: 'differs', entity: 'company', key: domain, fields: [field] })
  verification.differences.sort((a, b) => a.key.localeCompare(b.key))
  return verification
}

async function listExtra({ warehouse }: MemberReader, domain: string, known: string[]): Promise<Difference[]> {
  const { rows } = await sql<{ name: string }>`
    select name from warehouse.history_event, concat_ws('/', entity, key, event_key) as name
    where domain = ${domain} and name <> all (${known}::text[]) order by 1
  `.execute(warehouse.db)
  return rows.map(({ name }) => ({ kind: 'extra', entity: 'history_event', key: domain, record: name }))
}
