import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import { rewriteFirms } from '../firms/rewrite.ts'
import { firmPages, knownFirmFields } from '../firms/unequal-ranges.ts'
import { fetchMemberEvents } from '../history/fetch-member-events.ts'
import { insertEvents } from '../history/write-events.ts'
import { fetchRecord } from '../members/fetch-record.ts'
import { readRecord } from '../members/read-record.ts'
import { writeRecord } from '../members/write-record.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import type { Backfill, Part, PartDone } from './store.ts'
import { beginPart, notePart, noteSpent } from './store.ts'

/** What an attempt at a part needs to tell what it took. */
interface Attempt {
  /** The part is done with this. */
  done(): PartDone
  /** Tells what was spent so far; called after each member or page, so that little of it is lost with the process. */
  tell(): Promise<void>
}

/** Fetches one part and writes it. No watermark of the nights is read or moved. */
export async function doPart(context: RunContext, backfill: Backfill, part: Part): Promise<void> {
  const { db } = context.warehouse
  const place = { id: backfill.id, number: part.number, runId: context.runId }
  await beginPart(db, backfill.id, part.number)
  const attempt = beginAttempt(context, (spent) => noteSpent(db, place, spent))
  if (backfill.dataset === 'history') return await takeHistory(context, backfill, part, attempt)
  // Writing them twice changes nothing: a part that dies in the middle is done again.
  await (backfill.dataset === 'members' ? takeMembers(context, part, attempt) : takeFirms(context, part, attempt))
  await notePart(db, place, attempt.done())
}

function beginAttempt({ client, counts }: RunContext, tell: (spent: PartDone) => Promise<void>): Attempt {
  const before = { ...counts }
  const requests = client.counts.requests
  const started = performance.now()
  const done = (): PartDone => ({
    requests: client.counts.requests - requests,
    seconds: (performance.now() - started) / 1000,
    inserted: counts.inserted - before.inserted,
    updated: counts.updated - before.updated,
    unchanged: counts.unchanged - before.unchanged,
  })
  return { done, tell: () => tell(done()) }
}

async function takeHistory(
  context: RunContext,
  { id, from_at }: Backfill,
  part: Part,
  attempt: Attempt,
): Promise<void> {
  const { db } = context.warehouse
  const fetched: Awaited<ReturnType<typeof fetchMemberEvents>>[] = []
  await forEachConcurrent(part.members ?? [], context.settings.concurrency, context.signal, async (domain) => {
    fetched.push(await fetchMemberEvents(db, context.client, domain, from_at ?? undefined, context.signal))
    await attempt.tell()
  })
  const batch = {
    events: fetched.flatMap(({ events }) => events),
    rejected: fetched.flatMap(({ rejected }) => rejected),
  }
  await db.transaction().execute(async (trx) => {
    const written = await insertEvents(trx, batch, context.runId)
    addCounts(context.counts, { ...written, quarantined: batch.rejected.length })
    await notePart(trx, { id, number: part.number, runId: context.runId }, attempt.done())
  })
}

async function takeMembers(context: RunContext, part: Part, attempt: Attempt): Promise<void> {
  const { db } = context.warehouse
  await forEachConcurrent(part.members ?? [], context.settings.concurrency, context.signal, async (domain) => {
    const state = await db
      .selectFrom('sync.member_state')
      .select('fingerprint')
      .where('domain', '=', domain)
      .executeTakeFirst()
    const record = readRecord(await fetchRecord(context.client, domain, context.signal))
    // The fingerprint stays: what moved since the list was last read is the night's to see.
    const written = await writeRecord(db, record, state?.fingerprint ?? null, context.runId)
    addCounts(context.counts, written)
    await attempt.tell()
  })
}

async function takeFirms(context: RunContext, part: Part, attempt: Attempt): Promise<void> {
  const fields = await knownFirmFields(context)
  for await (const page of firmPages(context, part, fields)) {
    await rewriteFirms(context, page)
    await attempt.tell()
  }
}
