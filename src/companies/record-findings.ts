import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { LastAnswer } from '../findings/freshness.ts'
import type { Gathered } from '../findings/gather.ts'
import { merge } from '../findings/merge.ts'
import type { FieldGroup } from '../findings/provider.ts'
import { SOURCE_ORDER, sourceOfPeople } from '../findings/sources.ts'
import type { HeldClock } from '../history/history-events.ts'
import { writeEvents } from '../history/history-events.ts'
import { isoMicros } from '../lib/timestamps.ts'
import { advanceAddresses } from '../persons/person-addresses.ts'
import type { RecordedPeople } from '../persons/record-people.ts'
import { recordPeople } from '../persons/record-people.ts'
import { countRecords } from '../stats/record-counts.ts'
import { companyChanges } from './company-changes.ts'
import type { CompanyRow } from './company-row.ts'
import { lockCompany } from './company-rows.ts'
import { currentObservations, readObservations, replaceObservations, toObservation } from './observations.ts'
import type { JudgedOutcome } from './outcome.ts'
import { judgeOutcome, retryAt } from './outcome.ts'
import { readAnswers, writeAnswers } from './provider-answers.ts'
import { recordSignals } from './signals.ts'
import { redactSuppressedNames } from './suppressed-names.ts'

export interface RecordContext {
  /** The task that caused the enrichment, or null. Every history event records the task. */
  taskId: string | null
  /** Time of the provider queries, from which freshness is measured. */
  now: Date
  /** Maximum number of people per source. A source that returned this many people may have more. */
  maxPeople: number
}

/** Result of recording one company. */
export interface RecordedOutcome extends JudgedOutcome {
  domain: string
  /** Number of changed fields, changed people and new stories. */
  changed: { fields: number; people: number; signals: number }
}

/**
 * Stores provider findings about one company. Locks the company until the caller's transaction ends, merges the new
 * findings with the stored findings of other sources, and writes changed fields, people, signals, provenance and one
 * history event per change. Findings of unavailable sources are kept. Suppressed people are skipped.
 *
 * Lock order: the company, then addresses. Callers acquire further locks (units, tasks) afterwards. Throws only
 * database errors.
 */
export async function recordFindings(trx: Db, gathered: Gathered, context: RecordContext): Promise<RecordedOutcome> {
  const { domain } = gathered
  const now = isoMicros(context.now)
  const company = await lockCompany(trx, domain)
  const sources = judgeSources(gathered, await readAnswers(trx, domain), context)

  const rows = await readObservations(trx, domain)
  const observations = await redactSuppressedNames(trx, domain, gathered.observations)
  const current = currentObservations(rows.map(toObservation), { ...gathered, observations })
  const merged = merge(current, SOURCE_ORDER, now)
  const previousSources = new Map(rows.filter(({ wins }) => wins).map(({ field, source }) => [field, source]))
  const fields = companyChanges(company, merged, (field) => previousSources.get(field) ?? 'unknown')
  if (gathered.groups.includes('company')) await replaceObservations(trx, new Map([[domain, merged]]))

  const people: RecordedPeople = gathered.groups.includes('leadership')
    ? await recordPeople(trx, domain, gathered.people, { ...sources.people, now })
    : { changes: [], addresses: new Map(), changed: 0, found: false }
  const signals = await recordSignals(trx, domain, gathered.signals)

  const outcome = judgeOutcome(
    gathered,
    {
      company: gathered.observations.length > 0 || rows.some(({ source }) => sources.current.has(source)),
      leadership: people.found,
      signals: gathered.signals.length > 0 || (await hasSignals(trx, domain, sources.current)),
    },
    sources.unavailable,
  )
  const held: HeldClock = { history_at: [company.history_at, ...people.addresses.values()] }
  const historyAt = await writeEvents(trx, domain, [...fields, ...people.changes], held, context.taskId)
  if (historyAt !== null) await advanceAddresses(trx, [...people.addresses.keys()], historyAt)

  const changes = Object.fromEntries(fields.map(({ field, new_value }) => [field, new_value]))
  const queried = gathered.answers.length > 0
  const freshness = { ...freshnessOf(company, outcome, queried ? context.now : null), retry_at: sources.retryAt }
  const becomesPublic = !company.is_public && (outcome.outcome === 'complete' || outcome.outcome === 'partial')
  await trx
    .updateTable('company')
    .set({ ...changes, ...freshness, history_at: historyAt ?? company.history_at })
    .$if(becomesPublic, (update) => update.set({ is_public: true }))
    .$if(fields.length > 0, (update) => update.set({ updated_at: sql`now()` }))
    .where('domain', '=', domain)
    .execute()
  await countRecords(trx, 'company', {
    total: Number(becomesPublic),
    enriched: Number(company.enriched_at === null && freshness.enriched_at !== null),
  })
  await writeAnswers(trx, gathered)
  return { domain, ...outcome, changed: { fields: fields.length, people: people.changed, signals } }
}

/**
 * Groups the sources into those that responded, those that returned all their people, and those skipped because their
 * last result is still current.
 */
function judgeSources(
  { groups, answers, people }: Gathered,
  last: readonly LastAnswer[],
  { maxPeople, now }: RecordContext,
) {
  const responded = answers.filter(({ status }) => status === 'found' || status === 'not_found')
  const answered = new Set(responded.flatMap(({ provider }) => sourceOfPeople(provider) ?? []))
  const returned = Map.groupBy(people, ({ source }) => source)
  const complete = new Set([...returned].filter(([, seen]) => seen.length < maxPeople).map(([source]) => source))
  const queried = new Set(answers.map(({ provider }) => provider))
  const skipped = last.filter(
    ({ provider, groups: about }) => !queried.has(provider) && about.some((group) => groups.includes(group)),
  )
  const valid = skipped.filter(({ status }) => status === 'found')
  const current = new Set(valid.map(({ provider }) => provider))
  const currentPeople = new Set(valid.flatMap(({ provider }) => sourceOfPeople(provider) ?? []))
  return {
    current,
    people: { answered, complete: complete.intersection(answered), current: currentPeople },
    ...judgeUnavailable(answers, last, skipped, now),
  }
}

/**
 * Returns the sources that were skipped because their last query failed, and the earliest time at which an unavailable
 * source is due again.
 */
function judgeUnavailable(
  answers: Gathered['answers'],
  last: readonly LastAnswer[],
  skipped: readonly LastAnswer[],
  now: Date,
): { unavailable: string[]; retryAt: string | null } {
  const failed = (provider: string): number => last.find((one) => one.provider === provider)?.failures ?? 0
  const backingOff = skipped.filter(({ status }) => status === 'unavailable')
  const tries = [
    ...answers
      .filter(({ status }) => status === 'unavailable')
      .map(({ provider }) => retryAt(now, failed(provider) + 1)),
    ...backingOff.map(({ checked_at, failures }) => retryAt(new Date(checked_at), Math.max(1, failures))),
  ]
  return { unavailable: backingOff.map(({ provider }) => provider), retryAt: tries.toSorted()[0] ?? null }
}

/**
 * Returns the company's new status and the freshness timestamp of each group. A failed group keeps its timestamp. If no
 * source was queried (`now` is null), all groups keep their timestamps. Status and `enriched_at` describe only the
 * company's own fields, so searches for people or news do not change them.
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
