import { eachAtOnce } from '../each-at-once.ts'
import { fetchMemberEvents } from '../history/fetch-member-events.ts'
import { insertEvents } from '../history/write-events.ts'
import { fetchRecord } from '../members/fetch-record.ts'
import { readRecord } from '../members/read-record.ts'
import { writeRecord } from '../members/write-record.ts'
import type { RunContext } from '../pipeline.ts'
import { firmPages, knownFirmFields } from '../verify/firm-ranges.ts'
import { rewriteFirms } from '../verify/rewrite-firms.ts'
import type { Backfill, Part, PartDone } from './store.ts'
import { notePart } from './store.ts'

/** Fetches one part and writes it. No watermark of the nights is read or moved. */
export async function doPart(context: RunContext, backfill: Backfill, part: Part): Promise<void> {
  const before = { ...context.counts }
  const requests = context.client.counts.requests
  const started = performance.now()
  const done = (): PartDone => ({
    requests: context.client.counts.requests - requests,
    seconds: (performance.now() - started) / 1000,
    inserted: context.counts.inserted - before.inserted,
    updated: context.counts.updated - before.updated,
    unchanged: context.counts.unchanged - before.unchanged,
  })
  const place = { id: backfill.id, number: part.number, runId: context.runId }
  if (backfill.what === 'history') return await takeHistory(context, backfill, part, done)
  // Writing them twice changes nothing: a part that dies in the middle is done again.
  await (backfill.what === 'members' ? takeMembers(context, part) : takeFirms(context, part))
  await notePart(context.warehouse.db, place, done())
}

async function takeHistory(
  context: RunContext,
  { id, from_at }: Backfill,
  part: Part,
  done: () => PartDone,
): Promise<void> {
  const { db } = context.warehouse
  const fetched: Awaited<ReturnType<typeof fetchMemberEvents>>[] = []
  await eachAtOnce(part.members ?? [], context.settings.concurrency, context.signal, async (domain) => {
    fetched.push(await fetchMemberEvents(db, context.client, domain, from_at ?? undefined, context.signal))
  })
  const batch = { events: fetched.flatMap(({ events }) => events), misfits: fetched.flatMap(({ misfits }) => misfits) }
  await db.transaction().execute(async (trx) => {
    const written = await insertEvents(trx, batch, context.runId)
    context.counts.inserted += written.inserted
    context.counts.unchanged += written.unchanged
    context.counts.quarantined += batch.misfits.length
    await notePart(trx, { id, number: part.number, runId: context.runId }, done())
  })
}

async function takeMembers(context: RunContext, part: Part): Promise<void> {
  const { db } = context.warehouse
  await eachAtOnce(part.members ?? [], context.settings.concurrency, context.signal, async (domain) => {
    const state = await db
      .selectFrom('sync.member_state')
      .select('stamp')
      .where('domain', '=', domain)
      .executeTakeFirst()
    const record = readRecord(await fetchRecord(context.client, domain, context.signal))
    // The stamp stays: what moved since the list was last read is the night's to see.
    const written = await writeRecord(db, record, state?.stamp ?? null, context.runId)
    context.counts.inserted += written.inserted
    context.counts.updated += written.updated
    context.counts.unchanged += written.unchanged
    context.counts.quarantined += written.quarantined
  })
}

async function takeFirms(context: RunContext, part: Part): Promise<void> {
  const fields = await knownFirmFields(context)
  for await (const page of firmPages(context, part, fields)) await rewriteFirms(context, page)
}
