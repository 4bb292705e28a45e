/**
 * Gold pages labeled with their people, to train and measure the page models. Only pages that may be used for training
 * are read.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { readGoldSites } from '../../test/eval/gold-people-pages.ts'
import type { GoldPage } from '../../test/eval/people-gold/make-gold.ts'

export interface LabelledPage {
  /** All pages of a group belong to the same fold. */
  group: string
  url: string
  html: string
  people: readonly { name: string; title: string | null }[]
  weight: number
}

const read = (path: string): string =>
  readFileSync(new URL(`../../test/fixtures/gold/${path}`, import.meta.url), 'utf8')

interface SiteKey {
  domain: string
  people: { full_name: string; title: string }[]
}

/** Returns the pages of the sites in a folder of `test/fixtures/gold/sites`. */
export const pagesOfSites = (folder: 'learn' | 'independent/learn'): LabelledPage[] =>
  readdirSync(new URL(`../../test/fixtures/gold/sites/${folder}/`, import.meta.url)).flatMap((file) => {
    const [key = '', ...pages] = read(`sites/${folder}/${file}`).split(/^=== /mu)
    const { domain, people } = JSON.parse(key.replace(/^<!--|-->\s*$/gu, '')) as SiteKey
    return pages.map((page): LabelledPage => {
      const path = page.slice(0, page.indexOf('\n'))
      return {
        group: `${folder} ${domain}`,
        url: `https://${domain}${path}`,
        html: page.slice(page.indexOf('\n')),
        people: people.map(({ full_name, title }) => ({ name: full_name, title })),
        weight: 5,
      }
    })
  })

/** Returns all gold pages that may be used for training. */
export function goldPages(): LabelledPage[] {
  const layouts = JSON.parse(read('people/dev/index.json')) as GoldPage[]
  return [
    ...layouts
      .filter(({ family }) => !family.startsWith('structured'))
      .map(
        ({ file, url, family, people }): LabelledPage => ({
          group: family,
          url,
          html: read(`people/dev/${file}`),
          people: people.map(({ name, title }) => ({ name, title: title ?? null })),
          weight: 4,
        }),
      ),
    ...readGoldSites('dev').flatMap(({ domain, people, pages }) =>
      [...pages]
        .filter(([, html]) => /<\w/u.test(html) && !html.trimStart().startsWith('<?xml'))
        .map(
          ([path, html]): LabelledPage => ({ group: domain, url: `https://${domain}${path}`, html, people, weight: 4 }),
        ),
    ),
    ...pagesOfSites('learn'),
    ...pagesOfSites('independent/learn'),
  ]
}
