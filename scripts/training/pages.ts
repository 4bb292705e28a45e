/**
 * Gold pages labeled with their people, to train and measure the page models. Only pages that may be used for training
 * are read.
 */
import { readFileSync } from 'node:fs'
import { parsePage } from '../../src/enrichment/extract/page.ts'
import { SURE } from '../../src/enrichment/providers/website/crawl.ts'
import { findSiteLinks } from '../../src/enrichment/providers/website/site-links.ts'
import { readGoldSites } from '../../test/eval/gold-people-pages.ts'
import { LEARN, readSites } from '../../test/eval/gold-sites.ts'
import type { GoldPage } from '../../test/eval/people-gold/make-gold.ts'

export interface LabeledPage {
  /** All pages of a group belong to the same fold. */
  group: string
  /** The set of the page's site, such as `independent/learn`. */
  set?: string
  url: string
  html: string
  people: readonly { name: string; title: string | null }[]
  weight: number
  /** Whether a link to the page names a team. */
  isTeamPage?: boolean
}

const read = (path: string): string =>
  readFileSync(new URL(`../../test/fixtures/gold/${path}`, import.meta.url), 'utf8')

/** Returns the pages of the sites in a folder of `test/fixtures/gold/sites`. */
export const pagesOfSites = (folder: (typeof LEARN)[number]): LabeledPage[] =>
  readSites(folder).flatMap(({ domain, people, untitled_people = [], pages }) =>
    withTeamLinks(
      domain,
      Object.entries(pages).map(
        ([path, html]): LabeledPage => ({
          group: `${folder} ${domain}`,
          set: folder,
          url: `https://${domain}${path}`,
          html,
          people: [
            ...people.map(({ full_name, title }) => ({ name: full_name, title })),
            ...untitled_people.map(({ full_name }) => ({ name: full_name, title: null })),
          ],
          weight: 8,
        }),
      ),
    ),
  )

/** Marks the pages of a site to which a link of the site names a team. */
function withTeamLinks(domain: string, pages: readonly LabeledPage[]): LabeledPage[] {
  const targets = pages.flatMap(({ html, url }) =>
    findSiteLinks(parsePage(html, url), domain).filter(({ odds }) => odds.team >= SURE),
  )
  const named = new Set(targets.map(({ url }) => url))
  return pages.map((page) => ({ ...page, isTeamPage: named.has(page.url) }))
}

/** Returns all gold pages that may be used for training. */
export function goldPages(): LabeledPage[] {
  const layouts = JSON.parse(read('people/dev/index.json')) as GoldPage[]
  return [
    ...layouts
      .filter(({ family }) => !family.startsWith('structured'))
      .map(
        ({ file, url, family, people }): LabeledPage => ({
          group: family,
          url,
          html: read(`people/dev/${file}`),
          people: people.map(({ name, title }) => ({ name, title: title ?? null })),
          weight: 7,
        }),
      ),
    ...readGoldSites('dev').flatMap(({ domain, people, pages }) =>
      withTeamLinks(
        domain,
        [...pages]
          .filter(([, html]) => /<\w/u.test(html) && !html.trimStart().startsWith('<?xml'))
          .map(
            ([path, html]): LabeledPage => ({
              group: domain,
              url: `https://${domain}${path}`,
              html,
              people,
              weight: 7,
            }),
          ),
      ),
    ),
    ...LEARN.flatMap(pagesOfSites),
  ]
}
