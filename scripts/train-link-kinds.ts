/**
 * `npm run generate -- link-kinds`: trains the model that predicts the kind of page behind a link, and writes its
 * weights. Texts come from `test/fixtures/training/links.tsv`, the word lists in `src/enrichment/vocabulary/links`, the
 * occupation words, @faker-js/faker (MIT) and the menus of the gold sites that may be used for training. The
 * temperature is fitted to the menus with a first model trained without them; the final model is trained on all texts.
 * Deterministic.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { allFakers } from '@faker-js/faker'
import { mulberry32, randomOf } from '../src/demo/seeded-random.ts'
import type { ClassifierWeights } from '../src/enrichment/classifier/classifier.ts'
import { parsePage } from '../src/enrichment/extract/page.ts'
import type { LinkKind } from '../src/enrichment/providers/website/link-kinds/classify-link.ts'
import { createLinkModel, LINK_KINDS } from '../src/enrichment/providers/website/link-kinds/classify-link.ts'
import type { LinkContext, LinkRegion } from '../src/enrichment/providers/website/link-kinds/features.ts'
import { BUCKETS, featuresOf } from '../src/enrichment/providers/website/link-kinds/features.ts'
import { readSiteLinks } from '../src/enrichment/providers/website/site-links.ts'
import { readWords } from '../src/enrichment/vocabulary/read-words.ts'
import { foldAccents } from '../src/lib/fold-accents.ts'
import { bestTemperature, trainClassifier } from './training/classifiers.ts'

interface Labeled {
  link: LinkContext
  kind: LinkKind
  withLists: boolean
}

const { next, pick } = randomOf(mulberry32(20_261_122))

const fixture = readFileSync(new URL('../test/fixtures/training/links.tsv', import.meta.url), 'utf8')
const written = fixture
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [LinkKind, string])
const LISTS: [LinkKind, string][] = [
  ['team', 'team'],
  ['about', 'about'],
  ['contact', 'contact'],
  ['news', 'news'],
  ['other', 'elsewhere'],
]
/** Link texts that lead to facts about the company. The `links/elsewhere` list also contains some of these texts. */
const LEGAL = new Set(written.filter(([kind]) => kind === 'legal').map(([, text]) => text.toLowerCase()))
const listed = LISTS.flatMap(([kind, list]) =>
  readWords(`links/${list}`).map((text): [LinkKind, string] => [LEGAL.has(text) ? 'legal' : kind, text]),
)

/** People pages are often named after an occupation. */
const occupations = readWords('titles/role-nouns')
  .filter((word) => !word.startsWith('*') && word.length > 4)
  .map((word): [LinkKind, string] => ['team', /[sxz]$/.test(word) ? word : `${word}s`])

/** Names of things that companies sell, in the languages of @faker-js/faker. */
const sold = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt_BR', 'sv', 'cs_CZ', 'tr', 'ru', 'ja', 'ko'].flatMap(
  (locale) => {
    const faker = allFakers[locale as keyof typeof allFakers]
    faker.seed(7)
    return Array.from({ length: 30 }, (): [LinkKind, string] => {
      const { commerce, word } = faker
      return ['other', next() < 0.4 ? commerce.department() : next() < 0.5 ? commerce.productName() : word.noun()]
    })
  },
)

const slug = (text: string): string =>
  foldAccents(text)
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
const FOLDERS: Record<LinkKind, readonly string[]> = {
  team: ['about', 'company', 'firm', 'ueber-uns', 'en', 'kanzlei', 'sobre', 'o-nas', 'unternehmen'],
  about: ['en', 'de', 'fr', 'company'],
  contact: ['en', 'de', 'about', 'company'],
  legal: ['en', 'legal', 'site'],
  news: ['en', 'company', 'blog', 'press'],
  other: ['products', 'services', 'shop', 'en', 'collections', 'work', 'leistungen', 'produits', 'category', 'about'],
}
const REGIONS: Record<LinkKind, readonly LinkRegion[]> = {
  team: ['navigation', 'navigation', 'body', 'footer'],
  about: ['navigation', 'navigation', 'body', 'footer'],
  contact: ['navigation', 'footer', 'body'],
  legal: ['footer', 'footer', 'footer', 'navigation', 'body'],
  news: ['navigation', 'body', 'footer'],
  other: ['navigation', 'navigation', 'body', 'body', 'footer'],
}

/**
 * Returns variations of a link text: with its own path, with a meaningless path, with the path of another text of the
 * same kind, and without the text, as in a sitemap.
 */
function variations([kind, text]: readonly [LinkKind, string]): Labeled[] {
  const same = written.filter(([other]) => other === kind)
  const label = (shown: string, path: string, region = pick(REGIONS[kind])): Labeled => {
    const folder = next() < 0.2 ? [pick(FOLDERS[kind])] : []
    return {
      link: { text: shown, parts: [...folder, path], hasQuery: next() < 0.03, region },
      kind,
      withLists: next() < 0.35,
    }
  }
  const opaque = next() < 0.5 ? `p${Math.floor(next() * 900)}` : pick(['page', 'seite', 'p', 'item', 'site', 'x'])
  return [
    label(text, slug(text)),
    label(text, opaque),
    label(text, slug(pick(same)[1])),
    label('', slug(text), 'sitemap'),
  ]
}

interface GoldKey {
  domain: string
  people: { full_name: string }[]
}

/**
 * Returns the links in the menus of gold sites. Links to the pages with the most people are labeled `team`. Other links
 * get the first model's most probable kind other than `team`.
 */
function menus(first: (link: LinkContext) => Readonly<Record<LinkKind, number>>): Labeled[] {
  return ['learn', 'held-out', 'independent/learn'].flatMap((half) => {
    const folder = new URL(`../test/fixtures/gold/sites/${half}/`, import.meta.url)
    return readdirSync(folder)
      .toSorted()
      .flatMap((file) => {
        const [head = '', ...rest] = readFileSync(new URL(file, folder), 'utf8').split(/^=== /mu)
        const key = JSON.parse(head.replace(/^<!--|-->\s*$/gu, '')) as GoldKey
        const pages = rest.map((page) => [page.slice(0, page.indexOf('\n')), page] as const)
        const named = (html: string): number =>
          key.people.filter(({ full_name }) => html.includes(full_name.split(' ').at(-1) ?? full_name)).length
        const most = Math.max(2, ...pages.map(([path, html]) => (path === '/' ? 0 : named(html))))
        const teams = new Set(pages.filter(([, html]) => named(html) >= most * 0.8).map(([path]) => path))
        return pages.flatMap(([path, html]) =>
          readSiteLinks(parsePage(html, `https://${key.domain}${path}`), key.domain).map(
            ({ url, context }): Labeled => {
              const odds = first(context)
              const others = LINK_KINDS.filter((kind) => kind !== 'team')
              const kind = teams.has(new URL(url).pathname)
                ? 'team'
                : others.reduce((best, one) => (odds[one] > odds[best] ? one : best))
              return { link: context, kind, withLists: true }
            },
          ),
        )
      })
  })
}

const train = (examples: readonly Labeled[]): ClassifierWeights =>
  trainClassifier(
    LINK_KINDS,
    examples.map(({ link, kind, withLists }) => ({ buckets: featuresOf(link, { withLists }), kind })),
    { features: BUCKETS, l2: 0.5, iterations: 80 },
  )

function measure(weights: ClassifierWeights, examples: readonly Labeled[]): string {
  const model = createLinkModel(weights)
  return LINK_KINDS.map((kind) => {
    const own = examples.filter((one) => one.kind === kind)
    const right = own.filter(({ link }) => {
      const odds = model(link)
      return LINK_KINDS.every((other) => odds[other] <= odds[kind])
    }).length
    return `${kind} ${(right / own.length).toFixed(3)} of ${own.length}`
  }).join(', ')
}

const lossOf = (weights: ClassifierWeights, examples: readonly Labeled[]): number => {
  const model = createLinkModel(weights)
  // In menus, only the `team` label is reliable.
  const right = ({ link, kind }: Labeled): number => (kind === 'team' ? model(link).team : 1 - model(link).team)
  return examples.reduce((sum, one) => sum - Math.log(right(one) + 1e-9), 0) / examples.length
}

// Handwritten texts are used twice, because occupations and product names only approximate menu texts.
const texts = [...written, ...written, ...listed, ...occupations, ...sold]
const generated = texts.flatMap(variations)
const first = train(generated)
const known = menus(createLinkModel(first))
const temperature = bestTemperature((one) => lossOf({ ...first, temperature: one }, known))
console.log(`${generated.length} links; menus that were not trained on: ${measure({ ...first, temperature }, known)}`)
const weights = { ...train([...generated, ...known]), temperature }
console.log(`temperature ${temperature}; fit to its own data: ${measure(weights, [...generated, ...known])}`)
writeFileSync(
  new URL('../src/enrichment/providers/website/link-kinds/weights.json', import.meta.url),
  `${JSON.stringify(weights, null, 2)}\n`,
)
