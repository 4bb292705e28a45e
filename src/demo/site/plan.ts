import type { SampleCompany } from '../companies.ts'
import { seededRandom } from '../seeded-random.ts'
import type { TeamLayout } from './team-layouts.ts'
import { TEAM_LAYOUTS } from './team-layouts.ts'

/** Kinds of structured data on a site. */
export const MARKUPS = [
  'json-ld',
  'json-ld graph',
  'broken json-ld',
  'microdata',
  'h-card',
  'opengraph',
  'bare',
] as const
export type Markup = (typeof MARKUPS)[number]

/** Obstacles that sites present to the crawler. */
export const QUIRKS = [
  'none',
  'moved to www',
  'http redirect',
  'robots refusal',
  'partly refused',
  'slow',
  'dead links',
  'windows-1252',
  'sitemap only',
  'down',
  'broken certificate',
] as const
export type Quirk = (typeof QUIRKS)[number]

export const NEWS_KINDS = ['rss', 'atom', 'json feed', 'newsroom', 'rss without newsroom'] as const
export type NewsKind = (typeof NEWS_KINDS)[number]

/** The plan of a company's site. */
export interface SitePlan {
  markup: Markup
  layout: TeamLayout
  news: NewsKind
  quirk: Quirk
  /** If true, the site serves https and redirects http requests; otherwise, the site serves only http. */
  isSecure: boolean
  /** Menu labels, which vary between sites. */
  paths: { about: string; team: string; contact: string; news: string }
  labels: { about: string; team: string; contact: string; news: string }
}

const TEAM = [
  ['/team', 'Team'],
  ['/our-people', 'Our People'],
  ['/about/leadership', 'Leadership'],
  ['/people.html', 'People'],
  ['/who-we-are/', 'Who we are'],
  ['/company/management-team', 'Management Team'],
  ['/meet-the-team', 'Meet the Team'],
] as const
const ABOUT = [
  ['/about', 'About'],
  ['/about-us/', 'About us'],
  ['/our-firm', 'Our Firm'],
  ['/company', 'Company'],
  ['/our-story.html', 'Our Story'],
] as const
const CONTACT = [
  ['/contact', 'Contact'],
  ['/contact-us', 'Contact us'],
  ['/get-in-touch/', 'Get in touch'],
  ['/locations', 'Locations'],
] as const
const NEWS = [
  ['/news', 'News'],
  ['/newsroom/', 'Newsroom'],
  ['/press', 'Press'],
  ['/news-and-media', 'News & Media'],
  ['/company/announcements', 'Announcements'],
] as const

/**
 * Plans a site. Layouts and markup types rotate, so that a few companies cover all of them. The other properties are
 * random.
 */
export function planSite(seed: number, company: SampleCompany): SitePlan {
  const random = seededRandom(seed, `site ${company.place}`)
  const [team, about, contact, news] = [random.pick(TEAM), random.pick(ABOUT), random.pick(CONTACT), random.pick(NEWS)]
  // Every other site has a quirk, and the quirks rotate.
  const quirk =
    company.place % 2 === 0 ? 'none' : (QUIRKS[1 + (Math.floor(company.place / 2) % (QUIRKS.length - 1))] as Quirk)
  return {
    markup: MARKUPS[company.place % MARKUPS.length] as Markup,
    layout: TEAM_LAYOUTS[company.place % TEAM_LAYOUTS.length] as TeamLayout,
    news: random.pick(NEWS_KINDS),
    quirk,
    isSecure: quirk === 'broken certificate' || seededRandom(seed, `scheme ${company.place}`).chance(0.5),
    paths: { team: team[0], about: about[0], contact: contact[0], news: news[0] },
    labels: { team: team[1], about: about[1], contact: contact[1], news: news[1] },
  }
}
