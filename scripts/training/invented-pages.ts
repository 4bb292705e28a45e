/** Invented pages in many layouts and languages, with the company's people among other people, products and rooms. Deterministic. */
import type { Person } from './author.ts'
import { Author, INVERTED } from './author.ts'
import { composed } from './composed.ts'
import { DISTRACTIONS, heading } from './distractions.ts'
import type { Layout } from './layouts.ts'
import { DECORATED, FURTHER, inSentences, NAMES_ONLY, OWN_LAYOUTS, SHARED, TITLE_FIRST, tag } from './layouts.ts'
import type { LabeledPage } from './pages.ts'

/** Wraps some blocks in an element whose class usually describes the block. */
const section = (author: Author, kind: 'own' | 'others', html: string): string =>
  author.chance(0.3) ? tag('div', html, ` class="${author.className(author.chance(0.8) ? kind : 'neutral')}"`) : html

/** Writes a page. About 62% of the pages show the company's people. */
function page(seed: number): LabeledPage {
  const author = new Author(seed)
  const blocks: string[] = []
  const shown: Person[] = []
  const isTeam = author.chance(0.62)
  if (isTeam) {
    const layout = author.chance(0.2)
      ? inSentences
      : author.chance(0.35)
        ? composed
        : author.chance(0.35)
          ? author.pick(FURTHER)
          : author.chance(0.12)
            ? author.pick(SHARED)
            : author.chance(0.2)
              ? (OWN_LAYOUTS[author.pick(TITLE_FIRST)] as Layout)
              : author.pick(OWN_LAYOUTS)
    for (let groups = author.chance(0.3) ? 2 : 1; groups > 0; groups--) {
      const few = author.chance(0.35)
      const people = author.people(few ? 1 : 2, few ? 3 : 9).filter(({ name }) => !/,/.test(name))
      const bare = author.chance(0.07)
      const decorated = author.chance(0.1)
      const written = bare
        ? author.pick(NAMES_ONLY)
        : decorated
          ? author.pick(DECORATED)
          : layout === OWN_LAYOUTS[14] && !INVERTED.has(author.language)
            ? OWN_LAYOUTS[13]
            : layout
      blocks.push(
        (groups === 1 && author.chance(0.6) ? '' : heading(author, 'own')) +
          section(author, 'own', (written as Layout)(people, author)),
      )
      // Other people in the same layout, for example former staff.
      if (author.chance(0.15))
        blocks.push(
          heading(author, 'others') + section(author, 'others', (written as Layout)(author.people(1, 4), author)),
        )
      shown.push(...people.map((person) => (bare ? { ...person, title: '' } : person)))
    }
  }
  for (let count = author.number(isTeam ? 0 : 1, 4); count > 0; count--) {
    const block = author.pick(DISTRACTIONS)(author)
    if (author.chance(0.25)) blocks.unshift(block)
    else blocks.push(block)
  }
  const own = isTeam && author.chance(0.7)
  const top = author.heading(own ? 'own' : author.chance(0.4) ? 'others' : 'neutral')
  const path =
    own && author.chance(0.5) ? top.toLowerCase().replaceAll(' ', '-') : author.chance(0.2) ? '' : author.words(1)
  const company = author.company()
  if (author.chance(0.15)) blocks.unshift(tag('div', tag('b', company) + tag('p', author.phrase())))
  const host =
    company
      .normalize('NFD')
      .toLowerCase()
      .replace(/[^a-z]/gu, '')
      .slice(0, 20) || 'acme'
  const menu = tag('nav', Array.from({ length: 4 }, () => tag('a', author.phrase(), ' href="/x"')).join(' '))
  const html = `<html lang="${author.language}"><head><title>${top} | ${company}</title></head><body>${menu}<main>${tag('h1', top)}${blocks.join('\n')}</main></body></html>`
  return {
    group: `invented ${seed}`,
    url: `https://${host}.example/${encodeURIComponent(path)}`,
    html,
    people: shown.map(({ name, title }) => ({ name, title })),
    weight: 1,
    isTeamPage: author.chance(own ? 0.5 : 0.03),
  }
}

/** Returns invented pages. */
export const inventedPages = (count: number): LabeledPage[] =>
  Array.from({ length: count }, (_, seed) => page(seed + 1))
