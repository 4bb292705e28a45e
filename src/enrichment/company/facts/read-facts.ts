import { rangeOfHeadcount } from '../../../findings/headcount-range.ts'
import type { CompanyField, CompanyFields } from '../../../findings/provider.ts'
import type { TreeModel } from '../../classifier/trees.ts'
import type { Page } from '../../extract/page.ts'
import { stateName } from '../countries.ts'
import { classifyIndustry } from '../naics/classify.ts'
import { describeBusiness } from './business-texts.ts'
import type { NumberCandidate } from './count-facts.ts'
import { foundingCandidates, staffCandidates } from './count-facts.ts'
import { countryOfSite } from './country-of-site.ts'
import type { Decide, Decision, Features } from './decide.ts'
import { decide as trained } from './decide.ts'
import { industryCandidates } from './industry.ts'
import { legalNameCandidates } from './legal-names.ts'
import { phoneCandidates } from './phones.ts'
import { addressCandidates } from './places.ts'
import { describePhrases, rankPhrases } from './rank-phrases.ts'
import { nameCandidates } from './site-name.ts'
import type { SiteText } from './site-text.ts'
import { addOwnName, readSiteText } from './site-text.ts'
import { stateOfCity } from './state-of-city.ts'

/** A fact stated in a site's text. */
export interface Fact {
  field: CompanyField
  value: CompanyFields[CompanyField]
  /** Index of the page that states the fact. */
  page: number
  confidence: number
}

/** Minimum probability at which a value is returned, chosen on sites left out of training and on gold pages. */
const THRESHOLD: Record<Decision, number> = {
  name: 0.5,
  founding: 0.42,
  staff: 0.3,
  'legal-name': 0.55,
  phone: 0.3,
  address: 0.4,
  industry: 0.6,
}
/** Minimum probabilities if only one page is known, so other pages cannot repeat or contradict the value. */
const THRESHOLD_OF_PAGE: Partial<Record<Decision, number>> = { founding: 0.6, staff: 0.6 }
const MAX_NAME_CONFIDENCE = 0.95
/** Minimum probability at which a NAICS code is returned, chosen on sites left out of training. */
const MIN_NAICS_PROBABILITY = 0.3
/**
 * The probabilities are averages over several texts, and lower than the share of right codes: on sites by an author who
 * was unknown to the models, three of four codes are right at 0.7; on other sites left out of training, more.
 */
const naicsConfidence = (probability: number): number => Math.min(0.95, 0.4 + 0.6 * probability)
/** The probabilities of phrases are higher than the share of right phrases on sites by unknown authors. */
const INDUSTRY_DISCOUNT = 0.95

export interface FactModels {
  decide: Decide
  /** Ranks the phrases that describe the business. @default the trained model */
  trees?: TreeModel
}

/**
 * Reads the facts stated in the text of a company's site. Finds candidates with language-independent patterns for
 * numbers, names and addresses. Models decide whether each candidate describes the company. `stated` contains names
 * from structured data.
 */
export function readFacts(
  pages: readonly Page[],
  domain: string,
  stated: readonly string[],
  now: Date = new Date(),
  { decide, trees }: FactModels = { decide: trained },
): Fact[] {
  const site = readSiteText(pages, domain, now)
  const facts: Fact[] = []
  const add = (
    field: CompanyField,
    value: CompanyFields[CompanyField] | undefined,
    page: number,
    confidence: number,
  ): void => {
    if (value !== undefined && value !== '')
      facts.push({ field, value, page, confidence: Number(confidence.toFixed(3)) })
  }
  const minimumOf = (decision: Decision): number =>
    (pages.length === 1 ? THRESHOLD_OF_PAGE[decision] : undefined) ?? THRESHOLD[decision]
  const find = <Candidate extends { features: Features }>(
    decision: Decision,
    candidates: readonly Candidate[],
    keyOf: (candidate: Candidate) => string | number,
  ): (Candidate & { p: number }) | undefined => {
    const found = best(decide, decision, candidates, keyOf)
    return found && found.p >= minimumOf(decision) ? found : undefined
  }
  const { name, p: nameProbability = 0 } = find('name', nameCandidates(site, stated), (one) => one.name) ?? {}
  add('name', name, 0, Math.min(MAX_NAME_CONFIDENCE, nameProbability))
  const legal = find('legal-name', legalNameCandidates(site, namesOf(site, name, stated)), (one) => one.name)
  if (legal) {
    addOwnName(site, legal.name)
    add('legal_name', legal.name, legal.statement.page, legal.p)
  }
  const country = countryOfSite(site)
  const addresses = addressCandidates(site, country)
  const address = find('address', addresses, (one) => one.address.city ?? '')
  if (address) {
    const { street, city, state, postal_code, country: land } = address.address
    for (const [field, value] of [
      ['headquarters_street', street],
      ['headquarters_city', city],
      ['headquarters_postal_code', postal_code],
      ['headquarters_country', land],
    ] as const)
      add(field, value, address.statement.page, address.p)
    const named = state ? { state, page: address.statement.page } : stateOfCity(site, city ?? '', address.country)
    if (named) add('headquarters_state', stateName(named.state, address.country), named.page, address.p)
  }
  const phone = find(
    'phone',
    phoneCandidates(site, address?.country ?? country, address?.mentions ?? []),
    (one) => one.number,
  )
  if (phone) add('phone', phone.number, phone.statement.page, phone.p)
  const founded = find('founding', foundingCandidates(site, addresses), (one) => one.value)
  if (founded) add('founded_year', founded.value, founded.span.statement.page, founded.p)
  const staff = find('staff', staffCandidates(site, addresses), (one) => one.range ?? one.value)
  if (staff) {
    const { isLimit } = roundingOf(staff)
    const range = staff.range ?? rangeOfHeadcount(staff.value + (isLimit ? 1 : 0))
    if (!isLimit && staff.range === undefined) add('employee_count', staff.value, staff.span.statement.page, staff.p)
    add('employee_range', range, staff.span.statement.page, staff.p)
  }
  const places = [address?.address.city, address?.address.state].filter((one) => one !== undefined)
  const names = [...new Set([name, legal?.name, ...stated].filter((one) => one !== undefined))]
  const phrases = rankPhrases(describePhrases(site, name, industryCandidates(site, names, places), decide), trees)
  const [industry] = phrases
  if (industry && industry.p >= minimumOf('industry'))
    add('industry', industry.phrase, industry.page, industry.p * INDUSTRY_DISCOUNT)
  const described = phrases.map(({ phrase, p }) => ({ text: phrase, weight: p }))
  const naics = classifyIndustry(describeBusiness(site, name, described))
  if (naics && naics.probability >= MIN_NAICS_PROBABILITY) {
    const confidence = naicsConfidence(naics.probability)
    add('naics_code', naics.code, industry?.page ?? 0, confidence)
    add('naics_title', naics.title, industry?.page ?? 0, confidence)
  }
  return facts
}

/** Returns the most probable name of the site; undefined if the site states none. */
export function siteName(site: SiteText, stated: readonly string[], decide: Decide = trained): string | undefined {
  const found = best(decide, 'name', nameCandidates(site, stated), (one) => one.name)
  return found && found.p >= THRESHOLD.name ? found.name : undefined
}

export function namesOf(site: SiteText, name: string | undefined, stated: readonly string[]): string[] {
  const names = [...new Set([...(name ? [name] : []), ...stated])]
  for (const one of names) addOwnName(site, one)
  return names
}

/**
 * Returns the candidate with the most probable value, and the probability of the value. Only the most
 * probable mention of each value counts, because the years of news are mentioned most often.
 */
function best<Candidate extends { features: Features }>(
  decide: Decide,
  decision: Decision,
  candidates: readonly Candidate[],
  keyOf: (candidate: Candidate) => string | number,
): (Candidate & { p: number }) | undefined {
  const odds = decide(
    decision,
    candidates.map(({ features }) => features),
  )
  const judged = candidates.map((one, place) => ({ ...one, p: odds[place] as number })).toSorted((a, b) => b.p - a.p)
  const values = [...Map.groupBy(judged, keyOf).values()].map(([first]) => first as (typeof judged)[number])
  const sumOf = (all: readonly { p: number }[]): number => all.reduce((sum, { p }) => sum + p, 0)
  const [first] = values
  const p = first ? first.p / (1 - sumOf(judged) + sumOf(values)) : 0
  return first && { ...first, p }
}

const APPROXIMATE =
  /(?:more than|over|about|around|some|nearly|approximately|über|mehr als|rund|etwa|ca\.?|plus de|environ|más de|mais de|cerca de|oltre|circa|ruim|meer dan|ponad|około|över|omkring|yli|noin)\s*$/iu

/** Returns whether the number is a lower bound or an approximation, in which case only the headcount range is known. */
function roundingOf({ span: { statement, start, end } }: NumberCandidate): { isLimit: boolean } {
  const { text } = statement
  return { isLimit: APPROXIMATE.test(text.slice(Math.max(0, start - 20), start)) || /^\s?\+/u.test(text.slice(end)) }
}
