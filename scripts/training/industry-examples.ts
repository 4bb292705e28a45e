import { mulberry32, randomOf } from '../../src/demo/seeded-random.ts'
import type { IndustryCandidate } from '../../src/enrichment/company/facts/industry.ts'
import { industryCandidates, kindShapes, phraseGrams, shapesOf } from '../../src/enrichment/company/facts/industry.ts'
import type { SiteText } from '../../src/enrichment/company/facts/site-text.ts'
import { addOwnName, readSiteText } from '../../src/enrichment/company/facts/site-text.ts'
import { foldAccents } from '../../src/lib/fold-accents.ts'
import type { DescribedSite } from './described-sites.ts'
import { describedSites } from './described-sites.ts'
import { industryPages } from './industry-pages.ts'
import type { Labeled } from './labeled.ts'
import { fixture } from './words.ts'

const INVENTED_PAGES = 900
const INVENTED_WEIGHT = 0.3
const DESCRIBED_WEIGHT = 1.5
const PHRASE_WEIGHT = 0.5
/** Share of the wrong phrases that the model is trained on. */
const SAMPLE = 0.2

const { chance } = randomOf(mulberry32(20_261_126))

/** Labels the candidates of a site. Keeps all facts, and some of the other candidates with a higher weight. */
export const industryExamples = (
  candidates: readonly IndustryCandidate[],
  accepted: readonly string[],
  group: string,
  weight: number,
): Labeled[] =>
  candidates.flatMap(({ phrase, features }) => {
    const isFact = accepted.some((one) => foldPhrase(phrase) === foldPhrase(one))
    if (!isFact && !chance(SAMPLE)) return []
    return [
      {
        decision: 'industry',
        features,
        isFact,
        group,
        weight,
        text: phrase,
        ...(!isFact && { times: 1 / SAMPLE }),
      } satisfies Labeled,
    ]
  })

const foldPhrase = (phrase: string): string =>
  foldAccents(phrase).toLowerCase().replace(/\.$/u, '').trim().replaceAll(',', '')

/** Candidates on invented sites, and on handwritten short ones, that state the company's business in a few words. */
const fromSites = (): Labeled[] =>
  [
    ...industryPages(INVENTED_PAGES).map((site, at) => ({ ...site, group: `invented ${at}`, weight: INVENTED_WEIGHT })),
    ...describedSites().map((site) => ({ ...site, weight: DESCRIBED_WEIGHT })),
  ].flatMap(({ group, industries, weight, ...site }) =>
    industryExamples(candidatesOf(site, chance(0.5)).candidates, industries, group, weight),
  )

/** Returns the phrases on an invented site. */
export function candidatesOf(
  { domain, pages, name, city }: Pick<DescribedSite, 'domain' | 'pages' | 'name' | 'city'>,
  knowsCity: boolean,
): { site: SiteText; candidates: IndustryCandidate[] } {
  // A fixed date, because the candidates do not depend on it.
  const site = readSiteText(pages, domain, new Date(0))
  addOwnName(site, name)
  return { site, candidates: industryCandidates(site, [name], knowsCity ? [city] : []) }
}

/** Phrases that describe a company's business, and phrases that do not. */
function fromPhrases(): Labeled[] {
  const example = (phrase: string, isFact: boolean, language: string): Labeled => ({
    decision: 'industry',
    features: {
      // The position of a phrase is learned only from candidates on sites.
      shapes: [...shapesOf(phrase), ...kindShapes(phrase)],
      words: phraseGrams(phrase),
    },
    isFact,
    group: `phrase ${language} ${phrase}`,
    weight: PHRASE_WEIGHT,
    text: phrase,
  })
  return [
    ...fixture('industry-phrases').flatMap(([language = '', ...phrases]) =>
      phrases.flatMap((phrase) => [phrase, capital(phrase)].map((one) => example(one, true, language))),
    ),
    ...['phrases', 'titles'].flatMap(fixture).map(([language = '', phrase = '']) => example(phrase, false, language)),
  ]
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** Returns the candidates for industries that do not come from gold sites and pages. */
export const inventedIndustries = (): Labeled[] => [...fromSites(), ...fromPhrases()]
