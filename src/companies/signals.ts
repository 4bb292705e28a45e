import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { SignalObservation } from '../findings/provider.ts'
import { withoutSuppressedNames } from '../persons/suppression-list.ts'

/** Inserts new stories about a company, updates known stories, and returns the number of new stories. */
export async function recordSignals(trx: Db, domain: string, seen: readonly SignalObservation[]): Promise<number> {
  const stories = new Map((await withoutSuppressedNames(trx, domain, seen)).map((signal) => [storyId(signal), signal]))
  const rows = [...stories].map(([signal_id, signal]) => ({ ...signal, signal_id }))
  if (rows.length === 0) return 0
  const { rows: written } = await sql<{ fresh: boolean }>`
    insert into signal (domain, signal_id, type, headline, date, url, about, source, method, confidence, observed_at)
    select ${domain}, signal_id, type, headline, date, url, about, source, method, confidence, observed_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as story (
      signal_id text, type text, headline text, date date, url text, about text, source text, method text,
      confidence real, observed_at timestamptz)
    on conflict (domain, signal_id) do update set
      type = excluded.type, headline = excluded.headline, date = coalesce(excluded.date, signal.date),
      about = excluded.about, source = excluded.source, method = excluded.method, confidence = excluded.confidence,
      observed_at = excluded.observed_at
    where signal.observed_at <= excluded.observed_at
    returning xmax = 0 as fresh`.execute(trx)
  return written.filter(({ fresh }) => fresh).length
}

/** Derives the identifier of a story from its URL or, if it has no URL, from its headline. */
function storyId({ url, headline }: SignalObservation): string {
  return createHash('sha256')
    .update(url ?? headline.toLowerCase())
    .digest('hex')
    .slice(0, 32)
}
