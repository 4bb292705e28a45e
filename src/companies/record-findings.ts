import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { LastAnswer } from '../findings/freshness.ts'
import type { Gathered } from '../findings/gather.ts'
import { merge } from '../findings/merge.ts'
import type { FieldGroup } from '../findings/provider.ts'
import { SOURCE_ORDER, sourceOfPeople } from '../findings/sources.ts'
import type { HeldClock } from '../history/history-events.ts'
import { writeEvents } from '../history/history-events.ts'
import { advanceAddresses } from '../persons/person-addresses.ts'
import type { RecordedPeople } from '../persons/record-people.ts'
import { recordPeople } from '../persons/record-people.ts'
import { countRecords } from '../stats/record-counts.ts'
import { companyChanges } from './company-changes.ts'
import type { CompanyRow } from './company-rows.ts'
import { lockCompany } from './company-rows.ts'
import { currentObservations, readObservations, replaceObservations, toObservation } from './observations.ts'
import type { JudgedOutcome } from './outcome.ts'
import { judgeOutcome, retryAt } from './outcome.ts'
import { readAnswers, writeAnswers } from './provider-answers.ts'
import { recordSignals } from './signals.ts'

export interface RecordContext {
  /** The task that asked, or null. Every history event names it. */
  taskId: string | null
  /** When the sources were asked; the record's freshness counts from then. */
  now: Date
  /** People asked for at the most: a source that showed so many may have more. */
  maxPeople: number
}

/** What became of one company. */
export interface RecordedOutcome extends JudgedOutcome {
  domain: string
  /** Fields and people whose record changed, and stories that are new. */
  changed: { fields: number; people: number; signals: number }
}

/**
 * Stores what the providers found: the one way into the records. Holds the company until the caller's transaction ends; merges
 * what is new with what other sources said earlier; writes changed fields, people, signals, provenance and one history event
 * for each change. What cannot be reached now keeps its last known values. People who asked to be forgotten are left out.
 *
 * Locks, in this order: the company, then addresses. A caller who takes further locks (units, tasks) in the same transaction takes
 * them after. Throws only what the database throws.
 */
export async function recordFindings(trx: Db, gathered: Gathered, context: RecordContext): Promise<RecordedOutcome> {
  const { domain } = gathered
  const now = context.now.toISOString()
  const company = await lockCompany(trx, domain)
  const sources = judgeSources(gathered, await readAnswers(trx, domain), context)

  const rows = await readObservations(trx, domain)
  const merged = merge(currentObservations(rows.map(toObservation), gathered), SOURCE_ORDER, now)
  const formerly = new Map(rows.filter(({ wins }) => wins).map(({ field, source }) => [field, source]))
  const fields = companyChanges(company, merged, (field) => formerly.get(field) ?? 'unknown')
  if (gathered.groups.includes('company')) await replaceObservations(trx, domain, merged)

  const people: RecordedPeople = gathered.groups.includes('leadership')
    ? await recordPeople(trx, domain, gathered.people, { ...sources.people, now })
    : { changes: [], addresses: new Map(), changed: 0, found: false }
  const signals = await recordSignals(trx, domain, gathered.signals)

  const outcome = judgeOutcome(
    gathered,
    {
      company: gathered.observations.length > 0 || rows.some(({ source }) => sources.standing.has(source)),
      leadership: people.found,
      signals: gathered.signals.length > 0 || (await hasSignals(trx, domain, sources.standing)),
    },
    sources.away,
  )
  const held: HeldClock = { history_at: [company.history_at, ...people.addresses.values()] }
  const historyAt = await writeEvents(trx, domain, [...fields, ...people.changes], held, context.taskId)
  if (historyAt !== null) await advanceAddresses(trx, [...people.addresses.keys()], historyAt)

  const changes = Object.fromEntries(fields.map(({ field, new_value }) => [field, new_value]))
  const isAsked = gathered.answers.length > 0
  const standing = { ...freshnessOf(company, outcome, isAsked ? context.now : null), retry_at: sources.retryAt }
  await trx
    .updateTable('company')
    .set({ ...changes, ...standing, history_at: historyAt ?? company.history_at })
    .$if(fields.length > 0, (update) => update.set({ updated_at: sql`now()` }))
    .where('domain', '=', domain)
    .execute()
  await countRecords(trx, 'company', {
    enriched: Number(company.enriched_at === null && standing.enriched_at !== null),
  })
  await writeAnswers(trx, gathered)
  return { domain, ...outcome, changed: { fields: fields.length, people: people.changed, signals } }
}

/** Which sources of people spoke, which of them to the end, and which were left in peace because their last answer is good. */
function judgeSources(
  { groups, answers, people }: Gathered,
  last: readonly LastAnswer[],
  { maxPeople, now }: RecordContext,
) {
  const responded = answers.filter(({ status }) => status === 'found' || status === 'not_found')
  const answered = new Set(responded.flatMap(({ provider }) => sourceOfPeople(provider) ?? []))
  const shown = Map.groupBy(people, ({ source }) => source)
  const complete = new Set([...shown].filter(([, seen]) => seen.length < maxPeople).map(([source]) => source))
  const asked = new Set(answers.map(({ provider }) => provider))
  const resting = last.filter(
    ({ provider, groups: about }) => !asked.has(provider) && about.some((group) => groups.includes(group)),
  )
  const good = resting.filter(({ status }) => status === 'found')
  const standing = new Set(good.map(({ provider }) => provider))
  const standingPeople = new Set(good.flatMap(({ provider }) => sourceOfPeople(provider) ?? []))
  return {
    standing,
    people: { answered, complete: complete.intersection(answered), current: standingPeople },
    ...judgeUnavailable(answers, last, resting, now),
  }
}

/** Which sources were away before and rest now, and when the first of all that are away is worth another try: each by its own count. */
function judgeUnavailable(
  answers: Gathered['answers'],
  last: readonly LastAnswer[],
  resting: readonly LastAnswer[],
  now: Date,
): { away: string[]; retryAt: string | null } {
  const failed = (provider: string): number => last.find((one) => one.provider === provider)?.failures ?? 0
  const left = resting.filter(({ status }) => status === 'unavailable')
  const tries = [
    ...answers
      .filter(({ status }) => status === 'unavailable')
      .map(({ provider }) => retryAt(now, failed(provider) + 1)),
    ...left.map(({ checked_at, failures }) => retryAt(new Date(checked_at), Math.max(1, failures))),
  ]
  return { away: left.map(({ provider }) => provider), retryAt: tries.toSorted()[0] ?? null }
}

/**
 * Status and freshness, group by group. A group that could not be looked for keeps its age, and all do when nobody was asked (`now` is
 * null). The status is that of the company's own fields, as `enriched_at` is: a look for its people or its news alone, however it ends, says
 * nothing of them.
 */
function freshnessOf(company: CompanyRow, { outcome, reason, groups }: JudgedOutcome, now: Date | null) {
  const at = now?.toISOString()
  const fresh = (group: FieldGroup, before: string | null): string | null =>
    at !== undefined && (groups[group] === 'found' || (group !== 'company' && groups[group] === 'not_found'))
      ? at
      : before
  const ages = {
    enriched_at: fresh('company', company.enriched_at),
    leadership_enriched_at: fresh('leadership', company.leadership_enriched_at),
    signals_enriched_at: fresh('signals', company.signals_enriched_at),
    last_attempt_at: at ?? company.last_attempt_at,
  }
  if (groups.company === undefined) return ages
  const more = outcome === 'failed' ? company.failed_attempts + 1 : 0
  return {
    ...ages,
    enrichment_status: outcome,
    status_reason: reason,
    failed_attempts: at === undefined ? company.failed_attempts : more,
  }
}

async function hasSignals(trx: Db, domain: string, sources: ReadonlySet<string>): Promise<boolean> {
  if (sources.size === 0) return false
  const row = await trx
    .selectFrom('signal')
    .select('signal_id')
    .where('domain', '=', domain)
    .where('source', 'in', [...sources])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
