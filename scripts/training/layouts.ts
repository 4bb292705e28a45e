/** Page layouts that show the company's people. */
import type { Author, Person } from './author.ts'
import { CREDENTIALS, escapeHtml } from './author.ts'
import { OWN_IN_SENTENCES } from './sentences.ts'

export type Layout = (people: readonly Person[], author: Author) => string
export const tag = (name: string, inner: string, attributes = ''): string => `<${name}${attributes}>${inner}</${name}>`
export const all = (
  people: readonly Person[],
  write: (shown: string, title: string, person: Person) => string,
): string => people.map((person) => write(escapeHtml(person.shown), escapeHtml(person.title), person)).join('\n')
const photo = (author: Author): string =>
  author.chance(0.6) ? `<img src="/i/${author.number(1, 99)}.jpg" alt="">` : ''
const biography = (author: Author, share: number): string =>
  author.chance(share) ? tag('p', author.sentence() + author.sentence()) : ''

const cards =
  (outer: string, name: string, title: string, titleFirst = false): Layout =>
  (people, author) => {
    const style = author.pick(['', ' class="card"', ' class="member"', ' class="css-1x9k2"', ' class="group"'])
    const long = author.chance(0.4) ? 0.9 : 0
    const extra = author.chance(0.2)
    return all(people, (shown, role) => {
      const texts = titleFirst ? tag(title, role) + tag(name, shown) : tag(name, shown) + tag(title, role)
      const contact = extra ? tag('p', `<a href="tel:1">${author.phone()}</a>`) : ''
      return tag(outer, photo(author) + texts + biography(author, long) + contact, style)
    })
  }

const table =
  (header: boolean, inverted: boolean): Layout =>
  (people, author) => {
    const [caps, numbers, phones, first] = [
      author.chance(0.6),
      author.chance(0.3),
      author.chance(0.4),
      author.chance(0.2),
    ]
    const rows = all(people, (shown, title, { name }) => {
      const words = name.split(' ')
      const family = words.at(-1) ?? ''
      const written = inverted
        ? `${caps ? family.toLocaleUpperCase() : family}, ${words.slice(0, -1).join(' ')}`
        : shown
      const cells = first ? [title, written] : [written, title]
      return tag(
        'tr',
        [...(numbers ? [`${author.number(1, 300)}`] : []), ...cells, ...(phones ? [author.phone()] : [])]
          .map((cell) => tag('td', cell))
          .join(''),
      )
    })
    const heading = header
      ? tag('tr', ['Name', author.heading('neutral'), ''].map((cell) => tag('td', tag('b', cell))).join(''))
      : ''
    return tag('table', heading + rows)
  }

const lines =
  (join: (shown: string, title: string) => string): Layout =>
  (people, author) =>
    author.chance(0.5)
      ? tag(
          'ul',
          all(people, (shown, title) => tag('li', join(shown, title))),
        )
      : author.chance(0.5)
        ? tag('p', people.map(({ shown, title }) => join(escapeHtml(shown), escapeHtml(title))).join('<br>'))
        : all(people, (shown, title) => tag('div', join(shown, title), ' class="opis"'))

export const OWN_LAYOUTS: Layout[] = [
  cards('div', 'h3', 'p'),
  cards('div', 'h4', 'span'),
  cards('article', 'h2', 'p'),
  cards('li', 'strong', 'em'),
  cards('div', 'p', 'p'),
  cards('div', 'span', 'span'),
  cards('div', 'b', 'i'),
  cards('div', 'div', 'div'),
  cards('div', 'p', 'h3', true),
  cards('div', 'span', 'span', true),
  cards('figure', 'figcaption', 'p'),
  cards('section', 'h3', 'h4'),
  table(true, false),
  table(false, false),
  table(true, true),
  (people, author) =>
    tag(
      'dl',
      all(
        people,
        (shown, title) => tag('dt', shown) + tag('dd', title) + (author.chance(0.3) ? tag('dd', author.phrase()) : ''),
      ),
    ),
  (people) =>
    tag(
      'dl',
      all(people, (shown, title) => tag('dt', title) + tag('dd', shown)),
    ),
  lines((shown, title) => `${shown}, ${title}`),
  lines((shown, title) => `${shown} – ${title}`),
  lines((shown, title) => `${shown} (${title})`),
  lines((shown, title) => `<b>${shown}</b> ${title}`),
  lines((shown, title) => `<strong>${shown}</strong><br>${title}<br>`),
  lines((shown, title) => `${title}: ${shown}`),
  lines((shown, title) => `${title} | ${shown}`),
  lines((shown, title) => `<span>${title}</span> <span>${shown}</span>`),
  lines((shown, title) => `${title}　${shown}`),
  lines((shown, title) => `${shown} · ${title}`),
  (people) =>
    all(people, (shown, title) => tag('figure', `<img src="a.jpg" alt="${shown}">${tag('figcaption', title)}`)),
  (people) =>
    all(people, (shown, title) => `<img src="a.jpg" alt="${shown.replaceAll('"', '')}, ${title.replaceAll('"', '')}">`),
  (people) =>
    `<map>${all(people, (shown, title) => `<area alt="${shown.replaceAll('"', '')} – ${title.replaceAll('"', '')}">`)}</map>`,
  (people, author) =>
    all(people, (shown, title) => tag('h3', title) + tag('p', shown)) +
    (author.chance(0.4) ? tag('h3', author.heading('neutral')) : ''),
  (people, author) =>
    all(people, (shown, title) => tag('p', `<strong>${shown}</strong>, ${title}. ${author.sentence()}`)),
  (people, author) =>
    all(people, (shown, title) =>
      tag('details', tag('summary', author.phrase()) + tag('dl', tag('dt', shown) + tag('dd', title))),
    ),
  (people) =>
    all(people, (shown, title) =>
      tag('div', tag('div', tag('p', tag('span', tag('span', shown)))) + tag('div', tag('p', tag('span', title)))),
    ),
  (people, author) => all(people, (shown, title) => tag('h3', shown) + tag('p', title) + tag('p', author.sentence())),
]

/** Layouts without titles. */
export const NAMES_ONLY: Layout[] = [
  (people) =>
    tag(
      'ul',
      all(people, (shown) => tag('li', shown)),
    ),
  (people, author) => all(people, (shown) => tag('div', photo(author) + tag('h3', shown))),
  (people, author) =>
    all(people, (shown, _, { name }) =>
      tag(
        'div',
        photo(author) + tag('h4', shown) + tag('p', `${name.split(' ')[0]} ${author.words(12)}. ${author.sentence()}`),
      ),
    ),
  (people) => tag('p', people.map(({ shown }) => escapeHtml(shown)).join('<br>')),
  (people) =>
    tag(
      'table',
      all(people, (shown) => tag('tr', tag('td', shown))),
    ),
]

/** Layouts that show a text other than the title above each name, or an employer after the title. */
export const DECORATED: Layout[] = [
  (people, author) => {
    const label = author.phrase()
    return all(people, (shown, title) => tag('div', tag('span', label) + tag('h3', `${shown} – ${title}`)))
  },
  (people, author) => {
    const label = author.title()
    return all(people, (shown, title) => tag('div', tag('span', label) + tag('h3', `${shown} – ${title}`)))
  },
  (people, author) =>
    all(people, (shown, _, person) => {
      if (author.chance(0.5)) person.title = `${person.title}, ${author.chance(0.5) ? author.name() : author.company()}`
      return tag('p', `${shown}<br>${escapeHtml(person.title)}`)
    }),
  (people, author) =>
    all(people, (shown, title) => tag('div', tag('h3', shown) + tag('p', author.pick(CREDENTIALS)) + tag('p', title))),
]

/**
 * Indexes of layouts with the title before the name. A separate list makes these layouts more frequent, because some
 * languages prefer this order.
 */
export const TITLE_FIRST = [9, 16, 22, 23, 24, 25, 30, 30]

export const inSentences: Layout = (people, author) => {
  const templates = OWN_IN_SENTENCES[author.language] ?? []
  if (templates.length === 0) return OWN_LAYOUTS[0]?.(people, author) ?? ''
  return all(people, (shown, title) => {
    const written = author.pick(templates).replaceAll('{n}', shown).replaceAll('{t}', title)
    const before = author.chance(0.3) ? `${author.sentence()} ` : ''
    return tag('p', `${before}${written} ${author.chance(0.5) ? author.sentence() : ''}`)
  })
}
