/** Invented pages in many layouts and languages, with the company's people among other people, products and rooms. Deterministic. */
import type { Person } from './author.ts'
import { Author, INVERTED } from './author.ts'
import { composed } from './composed.ts'
import { DISTRACTIONS, heading } from './distractions.ts'
import type { Layout } from './layouts.ts'
import {
  DECORATED,
  FURTHER,
  inOneParagraph,
  inSentences,
  inShortLines,
  NAMES_ONLY,
  OWN_LAYOUTS,
  SHARED,
  TITLE_FIRST,
  tag,
} from './layouts.ts'
import type { LabeledPage } from './pages.ts'

/** Wraps some blocks in an element whose class usually describes the block. */
const section = (author: Author, kind: 'own' | 'others', html: string): string =>
  author.chance(0.3) ? tag('div', html, ` class="${author.className(author.chance(0.8) ? kind : 'neutral')}"`) : html

/** Share of groups in which some people have no title, and in which an employer takes the place of some titles. */
const UNTITLED = 0.18
const EMPLOYERS = 0.06
const FEW = 0.3

/** Returns a function that prints nothing or an employer instead of the titles of a few people, in some groups. */
function withoutTitle(author: Author): (person: Person) => Person {
  const chance = author.next()
  if (chance > UNTITLED + EMPLOYERS) return (person) => person
  const isEmployer = chance > UNTITLED
  return (person) => {
    if (!author.chance(FEW)) return person
    const company = author.company()
    return { ...person, title: isEmployer ? (author.chance(0.5) ? company.toUpperCase() : company) : '' }
  }
}

const employedElsewhere =
  (author: Author) =>
  (person: Person): Person => ({ ...person, title: `${person.title}, ${author.company()}` })

/** Removes the elements and separators that an empty title leaves behind. */
function withoutEmpty(html: string): string {
  const next = html.replace(
    /\s*[,|–·:-]?\s*<(p|div|span|b|i|em|td|dd|h\d|small)(?:\s[^<>]*)?>\s*<\/\1>|\s*[,|–·:-]\s*(?=<\/)/gu,
    '',
  )
  return next === html ? html : withoutEmpty(next)
}

/** Writes a page. About 66% of the pages show the company's people. */
function page(seed: number): LabeledPage {
  const author = new Author(seed)
  const blocks: string[] = []
  const shown: Person[] = []
  const isTeam = author.chance(0.66)
  if (isTeam) {
    const layout = author.chance(0.22)
      ? inSentences
      : author.chance(0.1)
        ? author.pick([inOneParagraph, inShortLines])
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
      const bare = author.chance(0.14)
      const decorated = author.chance(0.1)
      const written = bare
        ? author.pick(NAMES_ONLY)
        : decorated
          ? author.pick(DECORATED)
          : layout === OWN_LAYOUTS[14] && !INVERTED.has(author.language)
            ? OWN_LAYOUTS[13]
            : layout
      const printed = bare ? people : people.map(withoutTitle(author))
      blocks.push(
        (groups === 1 && author.chance(0.6) ? '' : heading(author, 'own')) +
          section(author, 'own', withoutEmpty((written as Layout)(printed, author))),
      )
      // Other people in the same layout, for example former staff.
      if (author.chance(0.35)) {
        const others = author.people(1, 4).map(author.chance(0.4) ? employedElsewhere(author) : (person) => person)
        blocks.push(heading(author, 'others') + section(author, 'others', (written as Layout)(others, author)))
      }
      // Only the layout knows the titles that it has left out.
      shown.push(
        ...people.map((person, at) =>
          bare || printed[at]?.title !== person.title ? { ...person, title: '' } : (printed[at] as Person),
        ),
      )
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
  const { ownCompany: company, host } = author
  if (author.chance(0.15)) blocks.unshift(tag('div', tag('b', company) + tag('p', author.phrase())))
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
