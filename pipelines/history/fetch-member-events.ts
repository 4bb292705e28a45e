import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Client } from '../../src/client/index.ts'
import { AppError } from '../../src/lib/errors.ts'
import type { Misfit } from '../warehouse/firm-record.ts'
import { misfit } from '../warehouse/firm-record.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { fetchEvents } from './fetch-events.ts'
import type { EventRow } from './read-event.ts'
import { isUnfitEvent, readEvent } from './read-event.ts'

export interface MemberEvents {
  events: EventRow[]
  misfits: Misfit[]
}

/**
 * The events of a member and of its people with an address, since a moment or from the beginning. Throws `upstream_failed` when the
 * service repeats the same page for ever.
 */
export async function fetchMemberEvents(
  db: Kysely<WarehouseTables>,
  client: Client,
  domain: string,
  since: string | undefined,
  signal: AbortSignal,
): Promise<MemberEvents> {
  const found: MemberEvents = { events: [], misfits: [] }
  for (const { entity, key } of await recordsOf(db, domain)) {
    const source = entity === 'company' ? client.companies : client.persons
    const fetched = await fetchEvents((query) => source.history(key, query, signal), since).catch(whenNotFound)
    if (fetched === undefined)
      throw new AppError('upstream_failed', `The history of ${key} repeats the same page for ever.`)
    for (const raw of fetched) {
      const event = readEvent(domain, entity, key, raw)
      if (isUnfitEvent(event)) found.misfits.push(misfit(raw, key, event.reason))
      else found.events.push(event)
    }
  }
  return found
}

async function recordsOf(
  db: Kysely<WarehouseTables>,
  domain: string,
): Promise<{ entity: 'company' | 'person'; key: string }[]> {
  const { rows } = await sql<{ entity: 'company' | 'person'; key: string }>`
    select 'company' as entity, ${domain}::text as key
    union all
    (select distinct 'person', email_hash from warehouse.person where company_domain = ${domain} and email_hash is not null order by 2)
  `.execute(db)
  return rows
}

/** A record without history, or one that was forgotten between two requests. */
export function whenNotFound(error: unknown): unknown[] {
  if (error instanceof AppError && error.code === 'not_found') return []
  throw error
}
