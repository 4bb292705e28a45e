import type { Crawl } from './crawl.ts'
import type { PageKind } from './site-bytes.ts'
import type { SiteLink } from './site-links.ts'

/** Kinds of pages that contain company facts, and the fields usually found on each. */
const FACTS_OF = {
  about: ['founded_year', 'employee_count', 'description'],
  contact: ['phone', 'headquarters_city', 'headquarters_country'],
  legal: ['legal_name'],
} as const
type FactKind = keyof typeof FACTS_OF
const KINDS = Object.keys(FACTS_OF) as FactKind[]

const MAX_PAGES = 4
const MAX_DEAD_LINKS = 2
/** Minimum probability that a link leads to a missing fact. */
const LIKELY = 0.3

/** Fetches the pages most likely to contain the facts that are still missing. */
export async function fetchFactPages(crawl: Crawl, reserved: number): Promise<void> {
  const deadLinks = crawl.deadLinks
  for (let pages = 0; pages < MAX_PAGES && crawl.budget > reserved; pages++) {
    const wanted = KINDS.filter((kind) => FACTS_OF[kind].some((fact) => !crawl.facts.has(fact)))
    const gain = ({ odds }: SiteLink): number => wanted.reduce((sum, kind) => sum + odds[kind], 0)
    const link = crawl.links(gain)[0]
    if (!link || gain(link) < LIKELY || crawl.deadLinks - deadLinks > MAX_DEAD_LINKS) return
    await crawl.visit(link.url, likeliest(link))
  }
}

const likeliest = ({ odds }: SiteLink): PageKind =>
  KINDS.reduce((best, kind) => (odds[kind] > odds[best] ? kind : best))
