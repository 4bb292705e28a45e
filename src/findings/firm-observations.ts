import type { Firm } from '../contract/firm-fields.ts'
import { rangeOfHeadcount } from './headcount-range.ts'
import type { CompanyField, CompanyFields, Observation } from './provider.ts'
import { FORM_ADV } from './sources.ts'

/** Firm fields used for company observations. */
export const OBSERVED_FIRM_FIELDS = [
  'crd_number',
  'legal_name',
  'business_name',
  'employee_count',
  'street_1',
  'street_2',
  'city',
  'state',
  'country',
  'postal_code',
  'phone',
  'social_url',
  'website_domain',
  'latest_filing_date',
] as const

/** A firm, and the date of the roster in which its current values first appeared. */
export type RosterFirm = Pick<Firm, (typeof OBSERVED_FIRM_FIELDS)[number]> & { as_of: string }

/**
 * Confidence if only one firm has the domain. Names are less certain, because companies often use names that differ
 * from their filed names.
 */
const CONFIDENCE: Partial<Record<CompanyField, number>> = { name: 0.85, industry: 0.7 }
const DEFAULT_CONFIDENCE = 0.95
/**
 * Confidence of a value shared by all firms with the same domain. The confidence is lower than for a single firm,
 * because the domain may belong to the firms' parent group.
 */
const SHARED_CONFIDENCE = 0.6
/**
 * Fields that can be the same for several firms with the same domain. A name or a headcount, by contrast, describes
 * only one firm.
 */
const SHARED_FIELDS: ReadonlySet<CompanyField> = new Set([
  'industry',
  'naics_code',
  'naics_title',
  'headquarters_city',
  'headquarters_state',
  'headquarters_country',
  'social_url',
])

/**
 * Derives company observations from the firms with the same domain: all fields of a single firm, or only the values
 * shared by several firms.
 */
export const observeFirms = (firms: readonly RosterFirm[]): Observation[] =>
  firms.length === 1 ? observe(firms[0] as RosterFirm) : observeShared(firms)

function observe(firm: RosterFirm): Observation[] {
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

function observeShared(firms: readonly RosterFirm[]): Observation[] {
  const [first = [], ...others] = firms.map(observe)
  return first
    .filter(({ field }) => SHARED_FIELDS.has(field))
    .filter(({ field, value }) =>
      others.every((firm) => firm.some((other) => other.field === field && other.value === value)),
    )
    .map((observation) => ({ ...observation, confidence: SHARED_CONFIDENCE }) as Observation)
}

function fieldsOf(firm: RosterFirm): { [Field in CompanyField]?: CompanyFields[Field] | null } {
  return {
    name: firm.business_name ?? firm.legal_name,
    legal_name: firm.legal_name,
    industry: 'Investment Advice',
    naics_code: '523940',
    naics_title: 'Portfolio Management and Investment Advice',
    employee_count: firm.employee_count,
    employee_range: !firm.employee_count ? null : rangeOfHeadcount(firm.employee_count),
    headquarters_street: [firm.street_1, firm.street_2].filter((line) => line !== null).join(', ') || null,
    headquarters_city: firm.city,
    headquarters_state: firm.state,
    headquarters_postal_code: firm.postal_code,
    headquarters_country: firm.country,
    phone: firm.phone,
    social_url: firm.social_url,
  }
}
