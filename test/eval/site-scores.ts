import { stateSpellings } from '../../src/companies/us-states.ts'
import { countryCode, stateName } from '../../src/enrichment/company/countries.ts'
import { createFetcher } from '../../src/enrichment/fetching/fetcher.ts'
import { readFindings } from '../../src/enrichment/providers/website/read-findings.ts'
import { createWebsiteProvider } from '../../src/enrichment/providers/website.ts'
import { merge } from '../../src/findings/merge.ts'
import type { FieldGroup, Observation, PersonObservation } from '../../src/findings/provider.ts'
import { SOURCE_ORDER } from '../../src/findings/sources.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { foldAccents } from '../../src/lib/fold-accents.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { byPath, enrichmentSettings, fetchingSettings, serveWeb } from '../helpers/web-server.ts'
import { Counts } from './counts.ts'
import { fold } from './fold.ts'
import type { GoldSite } from './gold-sites.ts'
import { acceptedOf } from './gold-sites.ts'

export interface Found {
  observations: Observation[]
  people: PersonObservation[]
}

const GROUPS: ReadonlySet<FieldGroup> = new Set(['company', 'leadership'])

/** Longer than in production, because a loaded machine may respond late. */
const TIMEOUT_SECONDS = 30

/**
 * Fetches and reads a site through the website provider over HTTP. Throws if a request times out, because the site's
 * score would be too low.
 */
export async function throughProvider(site: GoldSite): Promise<Found & { requests: number }> {
  const answer = byPath(site.pages)
  let requests = 0
  await using server = await serveWeb((request, reply) => {
    // The crawl's budget covers pages, but not robots.txt and sitemaps.
    if (!/\.(?:txt|xml)$/u.test(request.url ?? '')) requests += 1
    const json = /^[^?]*\.json/u.exec(request.url ?? '')?.[0]
    if (json && site.pages[json] !== undefined)
      reply.setHeader('content-type', 'application/json; charset=utf-8').end(site.pages[json])
    else answer(request, reply)
  })
  const connectTo = [site.domain, `www.${site.domain}`].map((host) => `${host}::127.0.0.1:${server.port}`)
  await using fetcher = createFetcher(fetchingSettings({ connect_to: connectTo, timeout_seconds: TIMEOUT_SECONDS }))
  const timeouts: string[] = []
  const get = fetcher.get.bind(fetcher)
  fetcher.get = async (url, options) => {
    const fetched = await get(url, options)
    if (fetched.outcome === 'unavailable' && /^no complete response within/u.test(fetched.reason))
      timeouts.push(`${fetched.url}: ${fetched.reason}`)
    return fetched
  }
  const provider = createWebsiteProvider({
    fetcher,
    receivesMail: async () => null,
    settings: enrichmentSettings(),
    clock: systemClock,
  })
  const { signal } = new AbortController()
  const request = { domain: site.domain, known: {}, groups: GROUPS, maxPeople: 100, maxArticles: 0, clock: systemClock }
  const { observations, people } = await provider.find({ ...request, signal, log: silentLog })
  if (timeouts.length > 0) throw new Error(`${site.domain} cannot be scored: ${timeouts.join(', ')}`)
  return { observations, people, requests }
}

/** Reads all pages of a site without crawling it. Every page except the home page is treated as a page about people. */
export function givenPages({ domain, pages }: GoldSite): Found {
  const bytes = Object.entries(pages).map(([path, html]) => ({
    kind: path === '/' ? ('home' as const) : ('about' as const),
    url: `https://${domain}${path}`,
    charset: 'utf-8',
    body: Buffer.from(html),
  }))
  return readFindings({
    site: { siteDomain: domain, pages: bytes, feeds: [] },
    domain,
    known: {},
    groups: GROUPS,
    maxPeople: 100,
    maxArticles: 0,
    observedAt: '2026-03-01T00:00:00Z',
  })
}

/** Words for `city` that East Asian addresses may omit. */
const CITY_WORD = /(?<=\p{L}{2})(?:市|광역시|특별시|특별자치시|시)$/u

/**
 * Normalizes a value for comparison. Telephone numbers are equal if their digits are equal. Names of the same country
 * (`Turkey` and `Türkiye`), the name and the code of a US state or Canadian province, and the name of a city with and
 * without the word for `city`, are equal.
 */
function comparable(field: string, value: string | number): string {
  switch (field) {
    case 'phone':
      return String(value).replace(/\D/gu, '')
    case 'headquarters_country':
      return countryCode(String(value)) ?? fold(value)
    case 'headquarters_state':
      return stateSpellings(foldAccents(stateName(foldAccents(String(value)), 'CA')))
        .toSorted()
        .join(' ')
    case 'headquarters_city':
      return fold(value).replace(CITY_WORD, '')
    default:
      return fold(value)
  }
}

/** Compares the findings with the sites' keys. */
export class Score {
  readonly people = new Counts()
  readonly names = new Counts()
  readonly fields = new Map<string, Counts>()
  readonly differences: string[] = []
  /** Confidence and correctness of each person with a title, and of each fact that a key lists. */
  readonly answers: {
    people: { confidence: number; right: boolean }[]
    facts: { field: string; confidence: number; right: boolean }[]
  } = { people: [], facts: [] }

  add(site: GoldSite, { observations, people }: Found): void {
    const differ = (what: string): void => void this.differences.push(`${site.domain} (${site.language}): ${what}`)
    const wanted = new Map(site.people.map(({ full_name, title }) => [fold(full_name), fold(title)]))
    const untitled = new Set(site.untitled_people?.map(({ full_name }) => fold(full_name)))
    for (const { full_name, title, confidence } of people) {
      // The keys require only people with titles, but finding others who are on the page is not an error.
      if (title === null && untitled.has(fold(full_name))) continue
      const expected = wanted.get(fold(full_name))
      wanted.delete(fold(full_name))
      this.names.add(expected === undefined ? 'invented' : 'right')
      const outcome = expected === undefined ? 'invented' : expected === fold(title ?? '') ? 'right' : 'wrong'
      this.people.add(outcome)
      this.answers.people.push({ confidence, right: outcome === 'right' })
      if (outcome !== 'right') differ(`${full_name} | ${title} is ${outcome}`)
    }
    for (const name of wanted.keys()) {
      this.names.add('missing')
      this.people.add('missing')
      differ(`${name} is missing`)
    }
    const merged = merge(observations, SOURCE_ORDER)
    for (const [field, value] of Object.entries(site.fields)) {
      const counts = this.fields.get(field) ?? new Counts()
      this.fields.set(field, counts)
      const observed = merged.get(field as Observation['field'])
      const found = observed?.winner.value
      const accepted = acceptedOf(value)
      const isRight = found !== undefined && accepted.some((one) => comparable(field, found) === comparable(field, one))
      counts.add(found === undefined ? 'missing' : isRight ? 'right' : 'wrong')
      if (observed) this.answers.facts.push({ field, confidence: observed.confidence, right: isRight })
      if (!isRight) differ(`${field} is ${accepted.join(' or ')}, found ${found}`)
    }
  }
}
