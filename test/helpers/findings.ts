import type { Finding, RecordedOutcome } from '../../src/companies/record-findings.ts'
import { recordFindings } from '../../src/companies/record-findings.ts'
import type { Db } from '../../src/db/database.ts'
import type { Gathered } from '../../src/findings/gather.ts'
import type {
  CompanyField,
  CompanyFields,
  FieldGroup,
  Observation,
  PersonObservation,
  ProviderStatus,
  SignalObservation,
} from '../../src/findings/provider.ts'

const OBSERVED_AT = '2026-11-01T00:00:00.000000Z'

/** An observation of a company field. */
export function says<Field extends CompanyField>(
  source: string,
  field: Field,
  value: CompanyFields[Field],
  more: Partial<Observation> = {},
): Observation {
  const evidence = {
    source,
    url: `https://${source}.example/`,
    observed_at: OBSERVED_AT,
    method: 'page',
    confidence: 0.9,
  }
  return { ...evidence, field, value, ...more } as Observation
}

/** An observation of a person. */
export function shows(source: string, full_name: string, more: Partial<PersonObservation> = {}): PersonObservation {
  const [first_name = null, last_name = null] = full_name.split(' ')
  return {
    source,
    url: `https://${source}.example/team`,
    observed_at: OBSERVED_AT,
    method: 'page',
    confidence: 0.9,
    full_name,
    first_name,
    last_name,
    title: null,
    seniority: null,
    department: null,
    email: null,
    email_status: more.email ? 'published' : null,
    email_confidence: more.email ? 0.95 : null,
    phone: null,
    social_url: null,
    ...more,
  }
}

/** A story about a company. */
export function tells(source: string, headline: string, more: Partial<SignalObservation> = {}): SignalObservation {
  return {
    source,
    url: `https://${source}.example/${encodeURIComponent(headline)}`,
    observed_at: OBSERVED_AT,
    method: 'feed',
    confidence: 0.9,
    type: 'Funding',
    headline,
    date: '2026-10-31',
    about: "the feed is the company's own",
    ...more,
  }
}

/**
 * Builds gathered findings as passed to `recordFindings`. By default, the requested groups are the groups of the
 * findings.
 */
export function gathered(
  domain: string,
  found: {
    observations?: Observation[]
    people?: PersonObservation[]
    signals?: SignalObservation[]
    groups?: FieldGroup[]
    answers?: Record<string, ProviderStatus>
    skipped?: string[]
  },
): Gathered {
  const { observations = [], people = [], signals = [] } = found
  const groups =
    found.groups ??
    ([observations.length && 'company', people.length && 'leadership', signals.length && 'signals'].filter(
      Boolean,
    ) as FieldGroup[])
  const sources = new Set([...observations, ...people, ...signals].map(({ source }) => source))
  const answers = found.answers ?? Object.fromEntries([...sources].map((source) => [source, 'found' as const]))
  return {
    domain,
    groups,
    answers: Object.entries(answers).map(([provider, status]) => ({
      provider,
      status,
      reason: status === 'found' ? null : `${provider} ${status}`,
      checked_at: OBSERVED_AT,
    })),
    skipped: found.skipped ?? [],
    observations,
    people,
    signals,
  }
}

/** Records findings in a transaction, as a worker does. */
export const record = (db: Db, found: Gathered, context: Partial<Finding> = {}): Promise<RecordedOutcome> =>
  db.transaction().execute((trx) => recordIn(trx, found, context))

/** Records findings in the caller's transaction. */
export async function recordIn(trx: Db, found: Gathered, context: Partial<Finding> = {}): Promise<RecordedOutcome> {
  const finding = { gathered: found, taskId: null, now: new Date(), maxPeople: 50, ...context }
  return (await recordFindings(trx, [finding]))[0] as RecordedOutcome
}
