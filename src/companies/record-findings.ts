import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { COMPANY_FIELDS } from '../contract/companies.ts'
import type { Db } from '../db/database.ts'
import type { ObservationTable } from '../db/record-tables.ts'
import type { LastAnswer } from '../findings/freshness.ts'
import type { Gathered } from '../findings/gather.ts'
import type { MergedField } from '../findings/merge.ts'
import { merge } from '../findings/merge.ts'
import type { CompanyField, FieldGroup, Observation } from '../findings/provider.ts'
import { SOURCE_ORDER, sourceOfPeople } from '../findings/sources.ts'
import type { Change, RecordChanges } from '../history/history-events.ts'
import { writeEvents } from '../history/history-events.ts'
import { prepared } from '../lib/prepared-statements.ts'
import { isoMicros } from '../lib/timestamps.ts'
import { advanceAddresses } from '../persons/person-addresses.ts'
import type { LockedPeople } from '../persons/record-people.ts'
import { lockPeople, recordPeople } from '../persons/record-people.ts'
import { countRecords } from '../stats/record-counts.ts'
import { companyChanges } from './company-changes.ts'
import type { CompanyRow } from './company-row.ts'
import { lockCompanies } from './company-rows.ts'
import { currentObservations, readObservationsOf, replaceObservations, toObservation } from './observations.ts'
import type { JudgedOutcome } from './outcome.ts'
import { judgeOutcome, retryAt } from './outcome.ts'
import { readAnswers, writeAnswers } from './provider-answers.ts'
import { recordSignals } from './signals.ts'
import { redactSuppressedNames } from './suppressed-names.ts'

/** Findings about one company to record. */
export interface Finding {
  gathered: Gathered
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
 * Stores provider findings about different companies, and returns the outcomes in the order of the findings. Locks the
 * companies until the caller's transaction ends, merges the new findings with the stored findings of other sources, and
 * writes changed fields, people, signals, provenance and one history event per change. Findings of unavailable sources
 * are kept. Suppressed people are skipped.
 *
 * Lock order: the companies, then addresses, both sorted. Callers acquire further locks (units, tasks) afterwards.
 * Throws only database errors.
 */
export async function recordFindings(trx: Db, findings: readonly Finding[]): Promise<RecordedOutcome[]> {
  if (findings.length === 0) return []
  const gathered = findings.map((finding) => finding.gathered)
  const domains = gathered.map(({ domain }) => domain)
  const companies = await lockCompanies(trx, domains)
  const people = await lockPeople(
    trx,
    gathered.filter(({ groups }) => groups.includes('leadership')),
  )
  const answers = await readAnswers(trx, domains)
  const observations = await readObservationsOf(trx, domains)
  const redact = await redactSuppressedNames(trx, gathered)
  const merged = findings.map((finding) => {
    const { domain } = finding.gathered
    return mergeFinding(finding, {
      company: companies.get(domain) as CompanyRow,
      answers: answers.get(domain) ?? [],
      rows: observations.get(domain) ?? [],
      people: people.get(domain),
      redact: (observation) => redact(domain, observation),
    })
  })
  await replaceObservations(
    trx,
    new Map(
      merged
        .filter(({ finding }) => finding.gathered.groups.includes('company'))
        .map(({ finding, fields }) => [finding.gathered.domain, fields]),
    ),
  )
  const recorded: Recorded[] = []
  for (const company of merged) recorded.push(await recordPeopleAndSignals(trx, company))
  const historyAt = await recordHistory(trx, recorded)
  await updateCompanies(trx, recorded, historyAt)
  await writeAnswers(trx, gathered, answers)
  return recorded.map(({ outcome }) => outcome)
}

/** What is stored about a company, which the transaction has locked. */
interface Stored {
  company: CompanyRow
  answers: readonly LastAnswer[]
  rows: readonly Selectable<ObservationTable>[]
  /** Undefined if no people were requested. */
  people: LockedPeople | undefined
  redact: (observation: Observation) => Observation
}

/** A company's findings, merged with the stored findings of other sources. */
interface Merged extends Omit<Stored, 'answers' | 'redact'> {
  finding: Finding
  sources: ReturnType<typeof judgeSources>
  fields: ReadonlyMap<CompanyField, MergedField>
  /** The company's changed fields. */
  changes: Change[]
}

function mergeFinding(finding: Finding, { company, answers, rows, people, redact }: Stored): Merged {
  const { gathered, now } = finding
  const observations = gathered.observations.map(redact)
  const current = currentObservations(rows.map(toObservation), { ...gathered, observations })
  const fields = merge(current, SOURCE_ORDER, isoMicros(now))
  const previousSources = new Map(rows.filter(({ wins }) => wins).map(({ field, source }) => [field, source]))
  const changes = companyChanges(company, fields, (field) => previousSources.get(field) ?? 'unknown')
  return { finding, company, rows, people, sources: judgeSources(gathered, answers, finding), fields, changes }
}

interface Recorded extends Merged {
  outcome: RecordedOutcome
  /** Changes to the company's people. */
  personChanges: Change[]
}

/** Writes the people and signals of one company. */
async function recordPeopleAndSignals(trx: Db, merged: Merged): Promise<Recorded> {
  const { finding, sources, people: locked, rows, changes } = merged
  const { gathered, now } = finding
  const { domain } = gathered
  const people = locked
    ? await recordPeople(trx, domain, locked, gathered.people, { ...sources.people, now: isoMicros(now) })
    : { changes: [], changed: 0, found: false }
  const signals = await recordSignals(trx, domain, gathered.signals)
  const judged = judgeOutcome(
    gathered,
    {
      company: gathered.observations.length > 0 || rows.some(({ source }) => sources.current.has(source)),
      leadership: people.found,
      signals: gathered.signals.length > 0 || (await hasSignals(trx, domain, sources.current)),
    },
    sources.unavailable,
  )
  const changed = { fields: changes.length, people: people.changed, signals }
  return { ...merged, outcome: { domain, ...judged, changed }, personChanges: people.changes }
}

/**
 * Writes the history events of all companies. Companies whose people were recorded come one after another, because they
 * may share addresses. Returns the time of each changed company's last event.
 */
async function recordHistory(trx: Db, recorded: readonly Recorded[]): Promise<Map<string, string>> {
  const changesOf = ({ finding, company, changes, personChanges, people }: Recorded): RecordChanges => ({
    domain: company.domain,
    changes: [...changes, ...personChanges],
    history_at: [company.history_at, ...(people?.emailHashes ?? []).map((hash) => people?.addresses.get(hash) ?? null)],
    taskId: finding.taskId,
  })
  const historyAt = await writeEvents(trx, recorded.filter(({ people }) => !people).map(changesOf))
  for (const company of recorded) {
    if (!company.people) continue
    for (const [domain, at] of await writeEvents(trx, [changesOf(company)])) {
      historyAt.set(domain, at)
      await advanceAddresses(trx, company.people, at)
    }
  }
  return historyAt
}

/** Columns that a finding can change. */
const COLUMNS = [
  ...COMPANY_FIELDS,
  'enrichment_status',
  'status_reason',
  'failed_attempts',
  'enriched_at',
  'leadership_enriched_at',
  'signals_enriched_at',
  'last_attempt_at',
  'retry_at',
  'is_public',
  'history_at',
] as const

/** Writes the changed columns of the companies, and counts new public and enriched companies. */
async function updateCompanies(
  trx: Db,
  recorded: readonly Recorded[],
  historyAt: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = recorded.map(({ finding, company, outcome, sources, changes }) => {
    const { domain, history_at, is_public } = company
    const queried = finding.gathered.answers.length > 0
    const columns = {
      ...Object.fromEntries(changes.map(({ field, new_value }) => [field, new_value])),
      ...freshnessOf(company, outcome, queried ? finding.now : null),
      retry_at: sources.retryAt,
      is_public: is_public || outcome.outcome === 'complete' || outcome.outcome === 'partial',
      history_at: historyAt.get(domain) ?? history_at,
    }
    return { domain, columns, has_changes: changes.length > 0, company }
  })
  const columns = sql.join(COLUMNS.map((column) => sql.ref(column)))
  await sql`${prepared}
    update company set (${columns}) = (select ${columns} from jsonb_populate_record(company, given.columns)),
      updated_at = case when given.has_changes then now() else company.updated_at end
    from jsonb_to_recordset(${JSON.stringify(rows.map(({ company: _, ...row }) => row))}::jsonb)
      as given (domain text, columns jsonb, has_changes boolean)
    -- The planner assumes that the second condition, which is always true, holds for one row in 200, so it looks up each
    -- company by its key.
    where company.domain = given.domain and given.domain = lower(given.domain)`.execute(trx)
  const count = (is: (row: (typeof rows)[number]) => boolean): number => rows.filter(is).length
  await countRecords(trx, 'company', {
    total: count(({ company, columns: { is_public } }) => is_public && !company.is_public),
    enriched: count(({ company, columns: { enriched_at } }) => enriched_at !== null && company.enriched_at === null),
  })
}

/**
 * Groups the sources into those that responded, those that returned all their people, and those skipped because their
 * last result is still current.
 */
function judgeSources(gathered: Gathered, last: readonly LastAnswer[], { maxPeople, now }: Finding) {
  const { groups, answers, people } = gathered
  const responded = answers.filter(({ status }) => status === 'found' || status === 'not_found')
  const answered = new Set(responded.flatMap(({ provider }) => sourceOfPeople(provider) ?? []))
  const returned = Map.groupBy(people, ({ source }) => source)
  const complete = new Set([...returned].filter(([, seen]) => seen.length < maxPeople).map(([source]) => source))
  const queried = new Set(answers.map(({ provider }) => provider))
  const notDue = new Set(gathered.skipped)
  // After a failure, a source is skipped even if its last result is about other groups (see `dueProviders`).
  const skipped = last.filter(
    ({ provider, groups: about }) =>
      !queried.has(provider) && (notDue.has(provider) || about.some((group) => groups.includes(group))),
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
