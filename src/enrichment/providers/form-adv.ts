import type { Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FirmTable } from '../../db/firm-tables.ts'
import type { CompanyField, CompanyFields, Findings, Observation, Provider } from '../../findings/provider.ts'
import { FORM_ADV } from '../../findings/sources.ts'
import { bandOf } from '../company/employees.ts'

type FirmRow = Selectable<FirmTable>

/** When only one firm has the domain. Filed names differ from the names that companies use. */
const CONFIDENCE: Partial<Record<CompanyField, number>> = { name: 0.85, industry: 0.7 }
const DEFAULT_CONFIDENCE = 0.95
/** A value that all firms of one domain share may be that of their group. */
const SHARED_CONFIDENCE = 0.6
/** Fields that firms of one domain can share; a name or a headcount belongs to one of them. */
const SHARED_FIELDS: ReadonlySet<CompanyField> = new Set([
  'industry',
  'headquarters_city',
  'headquarters_state',
  'headquarters_country',
  'social_url',
])

/**
 * Company fields from the newest imported roster, by website domain. When several firms share the domain, only values that all of them share
 * are returned, with less confidence.
 */
export function formAdvProvider(db: Db): Provider {
  return {
    name: FORM_ADV,
    groups: new Set(['company'] as const),
    maxAgeDays: 30,
    async find({ domain }): Promise<Findings> {
      const firms = await db
        .selectFrom('firm')
        .selectAll()
        .where('website_domain', '=', domain)
        .where('gone_as_of', 'is', null)
        .orderBy('crd_number')
        .execute()
      const [first, ...others] = firms
      if (!first) return nothing('no firm in the roster has this domain')
      const observations = others.length === 0 ? observe(first) : observeShared(firms)
      const reason = others.length === 0 ? null : `${firms.length} firms share this domain`
      if (observations.length === 0) return nothing(`${reason} and share no values`)
      return { status: 'found', reason, observations, people: [], signals: [] }
    },
  }
}

const nothing = (reason: string): Findings => ({
  status: 'not_found',
  reason,
  observations: [],
  people: [],
  signals: [],
})

function observe(firm: FirmRow): Observation[] {
  const evidence = {
    source: FORM_ADV,
    url: `https://adviserinfo.sec.gov/firm/summary/${firm.crd_number}`,
    observed_at: `${firm.latest_filing_date ?? firm.as_of}T00:00:00.000000Z`,
    method: 'roster',
  }
  return Object.entries(fieldsOf(firm)).flatMap(([name, value]) => {
    const field = name as CompanyField
    const confidence = CONFIDENCE[field] ?? DEFAULT_CONFIDENCE
    return value === null ? [] : [{ ...evidence, field, value, confidence } as Observation]
  })
}

function observeShared(firms: readonly FirmRow[]): Observation[] {
  const [first, ...others] = firms.map(observe) as [Observation[], ...Observation[][]]
  return first
    .filter(({ field }) => SHARED_FIELDS.has(field))
    .filter(({ field, value }) =>
      others.every((firm) => firm.some((other) => other.field === field && other.value === value)),
    )
    .map((observation) => ({ ...observation, confidence: SHARED_CONFIDENCE }) as Observation)
}

function fieldsOf(firm: FirmRow): { [Field in CompanyField]?: CompanyFields[Field] | null } {
  return {
    name: firm.business_name ?? firm.legal_name,
    legal_name: firm.legal_name,
    industry: 'Investment Advice',
    employee_count: firm.employee_count,
    employee_range: !firm.employee_count ? null : bandOf(firm.employee_count),
    headquarters_street: [firm.street_1, firm.street_2].filter((line) => line !== null).join(', ') || null,
    headquarters_city: firm.city,
    headquarters_state: firm.state,
    headquarters_postal_code: firm.postal_code,
    headquarters_country: firm.country,
    phone: firm.phone,
    social_url: firm.social_url,
  }
}
