import { readdirSync, readFileSync } from 'node:fs'
import { parsePhoneNumber } from 'awesome-phonenumber'
import { mulberry32, randomOf } from '../../src/demo/seeded-random.ts'
import { countryCode } from '../../src/enrichment/company/countries.ts'
import { foundingCandidates, staffCandidates } from '../../src/enrichment/company/facts/count-facts.ts'
import { countryOfSite } from '../../src/enrichment/company/facts/country-of-site.ts'
import type { Decide, Decision, Features } from '../../src/enrichment/company/facts/decide.ts'
import { grams } from '../../src/enrichment/company/facts/features.ts'
import type { IndustryCandidate } from '../../src/enrichment/company/facts/industry.ts'
import { industryCandidates } from '../../src/enrichment/company/facts/industry.ts'
import { legalNameCandidates } from '../../src/enrichment/company/facts/legal-names.ts'
import { phoneCandidates } from '../../src/enrichment/company/facts/phones.ts'
import { addressCandidates } from '../../src/enrichment/company/facts/places.ts'
import { namesOf, siteName } from '../../src/enrichment/company/facts/read-facts.ts'
import { nameCandidates } from '../../src/enrichment/company/facts/site-name.ts'
import type { SiteText } from '../../src/enrichment/company/facts/site-text.ts'
import { addOwnName, readSiteText } from '../../src/enrichment/company/facts/site-text.ts'
import { statedNames } from '../../src/enrichment/company/organization.ts'
import { squeeze } from '../../src/enrichment/company/own-name.ts'
import { parsePage } from '../../src/enrichment/extract/page.ts'
import { structuredDataOf } from '../../src/enrichment/extract/structured-data.ts'
import { rangeOfHeadcount } from '../../src/findings/headcount-range.ts'
import { foldAccents } from '../../src/lib/fold-accents.ts'
import type { GoldSite } from '../../test/eval/gold-sites.ts'
import { acceptedOf, LEARN, readSites } from '../../test/eval/gold-sites.ts'
import { foreignFactPages } from './foreign-facts.ts'
import { industryExamples, inventedIndustries } from './industry-examples.ts'
import type { Labeled } from './labeled.ts'

type Facts = Record<string, string | number>

/** Date at which the training pages are read. */
export const NOW = new Date('2026-11-01T00:00:00Z')
/**
 * Weight of the choice among a site's candidates. There are more training sentences with years and headcounts than
 * sites, but only sites have all candidates that are compared.
 */
const SITE_WEIGHT: Record<Decision, number> = {
  name: 3,
  founding: 12,
  staff: 12,
  'legal-name': 3,
  phone: 3,
  address: 3,
  industry: 3,
}
const SENTENCE_WEIGHT = 0.8
const CONTEXT_WEIGHT = 0.3
const FOREIGN_PAGES = 200
/** Most invented pages state no fact about the company, and most sites do, so their weights are balanced. */
const FOREIGN_WEIGHT: Record<Decision, number> = {
  name: 0.2,
  founding: 2,
  staff: 2,
  'legal-name': 0.2,
  phone: 0.2,
  address: 0.2,
  industry: 0.2,
}
const OWN = ['Zorvex', 'Marlind & Tosk', 'Brunnhof', 'Castelvero', 'Nordlys', 'Kaminari']
const OTHER = [
  'Halbrook Partners',
  'Vendelin Bank AB',
  'Grupo Pereda S.A.',
  'Meissner Druck GmbH',
  'Tessaro Audit',
  'Fintan & Sons Ltd',
]

const { between, chance, pick } = randomOf(mulberry32(20_261_122))
const fold = (text: string | number | undefined): string =>
  foldAccents(String(text ?? ''))
    .toLowerCase()
    .replace(/\.$/u, '')
    .trim()

/** Returns whether a city is one of the accepted ones. East Asian addresses may omit the word for `city`. */
const isCity = (city: string | undefined, accepted: GoldSite['fields']): boolean =>
  acceptedOf(accepted['headquarters_city']).some((one) => withoutCityWord(fold(one)) === withoutCityWord(fold(city)))
const withoutCityWord = (city: string): string => city.replace(/(?<=\p{L}{2})[市시]$/u, '')

/** Returns the best value of each field. */
const firstOf = (accepted: GoldSite['fields']): Facts =>
  Object.fromEntries(
    Object.entries(accepted).flatMap(([field, value]) =>
      acceptedOf(value)
        .slice(0, 1)
        .map((first) => [field, first]),
    ),
  )

/** Returns the phrases that may describe a company whose facts are known. */
function phrasesOf(site: SiteText, names: readonly string[], facts: Facts): IndustryCandidate[] {
  const known = (...fields: string[]): string[] =>
    fields.flatMap((field) => (facts[field] === undefined ? [] : [String(facts[field])]))
  return industryCandidates(site, [...names, ...known('legal_name')], known('headquarters_city', 'headquarters_state'))
}

/** Returns the site's name and its phrases that may describe the company. */
export function namedPhrases(
  { site, stated, fields }: LearnSite,
  decide: Decide,
): {
  name: string | undefined
  candidates: IndustryCandidate[]
} {
  const facts = firstOf(fields)
  const name = siteName(site, stated, decide)
  const names = namesOf(site, name, stated)
  if (facts['legal_name']) addOwnName(site, String(facts['legal_name']))
  return { name, candidates: phrasesOf(site, names, facts) }
}

function fromSite(
  site: SiteText,
  stated: readonly string[],
  accepted: GoldSite['fields'],
  group: string,
  isComplete: boolean,
  decide: Decide,
): Labeled[] {
  const facts = firstOf(accepted)
  const names = namesOf(site, siteName(site, stated, decide), stated)
  const legalNames = legalNameCandidates(site, names)
  if (facts['legal_name']) addOwnName(site, String(facts['legal_name']))
  const home = countryOfSite(site)
  const land = countryCode(String(facts['headquarters_country'] ?? '')) ?? home
  const addresses = addressCandidates(site, home)
  const own = addresses.find(({ address }) => isCity(address.city, accepted))
  const all: [Decision, string, { features: Features }[], (one: never) => boolean, (one: never) => string][] = [
    [
      'legal-name',
      'legal_name',
      legalNames,
      (one: { name: string }) => squeeze(one.name) === squeeze(String(facts['legal_name'] ?? '')),
      (one: { name: string }) => one.name,
    ],
    [
      'phone',
      'phone',
      phoneCandidates(site, land, own?.mentions ?? []),
      (one: { number: string }) => one.number === facts['phone'],
      (one: { number: string }) => one.number,
    ],
    [
      'address',
      'headquarters_city',
      addresses,
      (one: { address: { city?: string } }) => isCity(one.address.city, accepted),
      (one: { address: object }) => JSON.stringify(one.address),
    ],
    [
      'founding',
      'founded_year',
      foundingCandidates(site, addresses),
      (one: { value: number }) => one.value === facts['founded_year'],
      (one: { value: number; span: { statement: { text: string } } }) =>
        `${one.value} ${one.span.statement.text.slice(0, 90)}`,
    ],
    [
      'staff',
      'employee_count',
      staffCandidates(site, addresses),
      (one: { value: number; range?: string }) =>
        (one.range === undefined && one.value === facts['employee_count']) ||
        (one.range !== undefined && one.range === facts['employee_range']) ||
        (one.range === undefined &&
          facts['employee_count'] === undefined &&
          rangeOfHeadcount(one.value + 1) === facts['employee_range']),
      (one: { value: number; span: { statement: { text: string } } }) =>
        `${one.value} ${one.span.statement.text.slice(0, 90)}`,
    ],
  ] as never
  const phrases = phrasesOf(site, names, facts).filter(
    ({ features }) => !isComplete || features.shapes.includes('in row'),
  )
  const industries = industryExamples(
    // The keys of single pages contain a category, so only rows that state it are used.
    phrases,
    acceptedOf(accepted['industry']).map(String),
    group,
    SITE_WEIGHT.industry,
  )
  return [
    ...(industries.some(({ isFact }) => isFact) ? industries : []),
    ...all.flatMap(([decision, field, candidates, isFact, text]) =>
      // Facts missing from an incomplete key are unknown, so their candidates are not used.
      facts[field] === undefined && !isComplete
        ? []
        : candidates.map((one) => ({
            decision,
            features: one.features,
            isFact: isFact(one as never),
            group,
            weight: SITE_WEIGHT[decision],
            text: text(one as never),
          })),
    ),
  ]
}

/** A site that may be used for training. */
export interface LearnSite {
  group: string
  site: SiteText
  stated: readonly string[]
  fields: GoldSite['fields']
}

/** Reads all sites that may be used for training. */
export const learnSites = (): LearnSite[] =>
  LEARN.flatMap((half) =>
    readSites(half).map(({ domain, fields, pages }) => {
      const parsed = Object.entries(pages).map(([path, html]) => ({
        page: parsePage(html, `https://${domain}${path}`),
        html,
      }))
      return {
        group: `${half} ${domain}`,
        site: readSiteText(
          parsed.map(({ page }) => page),
          domain,
          NOW,
        ),
        stated: statedNames(
          parsed.flatMap(({ page, html }) => structuredDataOf(page, html)),
          domain,
        ),
        fields,
      }
    }),
  )

/** Reads the gold pages that may be used for training. */
function learnPages(): { file: string; site: SiteText; stated: string[]; facts: GoldSite['fields'] }[] {
  const folder = new URL('../../test/fixtures/gold/company/dev/', import.meta.url)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const gold = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as {
        domain: string
        facts: GoldSite['fields']
      }
      const html = readFileSync(new URL(file.replace('.json', '.html'), folder), 'utf8')
      const page = parsePage(html, `https://${gold.domain}/`)
      const stated = statedNames(structuredDataOf(page, html), gold.domain)
      return { file, site: readSiteText([page], gold.domain, NOW), stated, facts: gold.facts }
    })
}

/** Candidates on invented pages, which mostly state facts about other organizations. */
function fromForeignFacts(decide: Decide): Labeled[] {
  return foreignFactPages(FOREIGN_PAGES).flatMap(({ domain, html, country, facts }, place) => {
    const page = parsePage(html, `https://${domain}/`)
    const phone = parsePhoneNumber(String(facts['phone'] ?? ''), { regionCode: country }).number?.e164
    const own = { ...facts, ...(phone && { phone }) }
    return fromSite(readSiteText([page], domain, NOW), [], own, `invented ${place}`, true, decide).map((one) => ({
      ...one,
      weight: FOREIGN_WEIGHT[one.decision],
    }))
  })
}

/** Spelled-out cardinals and their values, by language. */
const CARDINALS = new Map(
  Object.entries(
    JSON.parse(
      readFileSync(new URL('../../src/enrichment/company/facts/number-words.json', import.meta.url), 'utf8'),
    ) as Record<string, Record<string, number>>,
  ).map(([language, words]) => [language, Object.entries(words)]),
)

/** Separates the lines of a training text, such as the years and events of a timeline. */
const LINE = ' // '

/**
 * Candidates in sentences with the founding year `{Y}` or the headcount `[N]`, in words `[W]`. `{A}` is a later year,
 * and `{B}` an earlier one. Other numbers in these sentences are neither founding years nor headcounts.
 */
function fromSentences(): Labeled[] {
  const lines = readFileSync(new URL('../../test/fixtures/training/company-facts.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return lines.flatMap((line, place) => {
    const [language = '', sentence = ''] = line.split('\t')
    return Array.from({ length: 6 }, (_, round) => {
      const own = pick(OWN)
      const year = between(1880, 2022)
      const count = between(3, chance(0.5) ? 32 : 402)
      const [label = '', value] = sentence.replaceAll('NAME', own).replaceAll('OTHER', pick(OTHER)).split('|')
      const words = CARDINALS.get(language)
      const word = words && pick(words)
      if (sentence.includes('[W]') && !word) return []
      const text = (value ?? label)
        .replace('{Y}', String(year))
        .replaceAll('{A}', () => String(between(year + 1, 2025)))
        .replaceAll('{B}', () => String(between(year - 60, year - 1)))
        .replace('[N]', String(count))
        .replace('[W]', word?.[0] ?? '')
      const filler = round % 2 === 0 ? '' : ' Lorem ipsum.'
      const area = pick(['main', 'main', 'main', 'footer', 'script'] as const)
      const site: SiteText = {
        domain: 'example.com',
        pages: [],
        titles: [],
        statements: `${text}${filler}`.split(LINE).map((line) => ({
          text: line,
          label: value === undefined ? '' : label,
          area,
          page: round % 3,
          language,
          block: 0,
        })),
        ownWords: new Set(),
        names: new Set(),
        now: NOW,
      }
      addOwnName(site, own)
      const wantsYear = sentence.includes('{Y}')
      const staff = sentence.includes('[N]') ? count : sentence.includes('[W]') ? word?.[1] : undefined
      const group = `sentence ${language} ${place} ${round}`
      return [
        ...foundingCandidates(site).map(
          (one): Labeled => ({
            decision: 'founding',
            features: one.features,
            isFact: wantsYear && one.value === year,
            group,
            weight: SENTENCE_WEIGHT,
            text,
          }),
        ),
        ...staffCandidates(site).map(
          (one): Labeled => ({
            decision: 'staff',
            features: one.features,
            isFact: one.value === staff,
            group,
            weight: SENTENCE_WEIGHT,
            text,
          }),
        ),
      ]
    }).flat()
  })
}

/** Words before, beside or above candidates, such as labels and headings. */
function fromContexts(): Labeled[] {
  const sides: Partial<Record<Decision, string[]>> = {
    address: ['H', 'K', 'B'],
    'legal-name': ['B', 'K'],
    phone: ['B', 'K'],
  }
  const lines = readFileSync(new URL('../../test/fixtures/training/fact-contexts.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return lines.flatMap((line) => {
    const [decision = '', answer = '', ...texts] = line.split('\t') as [Decision, string, ...string[]]
    return texts.flatMap((text) =>
      (sides[decision as Decision] ?? []).map(
        (side): Labeled => ({
          decision: decision as Decision,
          features: { shapes: [], words: grams(side, text.match(/[\p{L}\p{M}'’]+/gu) ?? []) },
          isFact: answer === 'yes',
          group: `context ${side} ${text}`,
          weight: CONTEXT_WEIGHT,
          text,
        }),
      ),
    )
  })
}

/** Labels the candidates for the name of a site. */
const namesOfSite = (
  site: SiteText,
  stated: readonly string[],
  accepted: GoldSite['fields'],
  group: string,
): Labeled[] =>
  acceptedOf(accepted['name']).length === 0
    ? []
    : nameCandidates(site, stated).map(
        ({ name, features }): Labeled => ({
          decision: 'name',
          features,
          isFact: acceptedOf(accepted['name']).some((one) => fold(one) === fold(name)),
          group,
          weight: SITE_WEIGHT.name,
          text: name,
        }),
      )

/** Returns the candidates for names from gold sites and pages. */
export const nameExamples = (): Labeled[] => [
  ...learnSites().flatMap(({ site, stated, fields, group }) => namesOfSite(site, stated, fields, group)),
  ...learnPages().flatMap(({ site, stated, facts, file }) => namesOfSite(site, stated, facts, file)),
]

/**
 * Returns all training candidates except names: from gold sites and pages, invented pages, and handwritten sentences
 * and phrases. `decideFor` returns a model of names that was trained without the group.
 */
export const companyFactExamples = (decideFor: (group: string) => Decide): Labeled[] => [
  ...learnSites().flatMap(({ site, stated, fields, group }) =>
    fromSite(site, stated, fields, group, false, decideFor(group)),
  ),
  ...learnPages().flatMap(({ site, stated, facts, file }) =>
    fromSite(site, stated, facts, file, true, decideFor(file)),
  ),
  ...fromForeignFacts(decideFor('')),
  ...fromSentences(),
  ...inventedIndustries(),
  ...fromContexts(),
]
