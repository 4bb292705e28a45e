/**
 * Random layouts: each list arranges names, titles and other texts differently, but the same way for all its members.
 */
import type { Author, Person } from './author.ts'
import { CREDENTIALS, capital, escapeHtml } from './author.ts'
import { tag } from './layouts.ts'

/** Returns one text of a member; empty if the member does not have it. */
type Part = (person: Person) => string

const BLOCKS = ['p', 'p', 'div', 'div', 'h3', 'h4', 'h2', 'h5', 'figcaption', 'address']
const INLINE = ['span', 'span', 'b', 'strong', 'em', 'i', 'small', 'a']
const MARKS = [', ', ' – ', ' | ', ' · ', ' / ', ': ', ' - ', ' ', ' — ', '、', ' • ']
const HOLDERS = [
  ['ul', 'li'],
  ['ol', 'li'],
  ['div', 'div'],
  ['div', 'div'],
  ['section', 'article'],
  ['div', 'figure'],
  ['div', 'a'],
  ['div', 'details'],
] as const

/**
 * Returns a function that generates texts other than titles: the same kind of text for every member, empty for some
 * members.
 */
function noteOf(author: Author): Part {
  const label = author.phrase()
  const note = author.pick<() => string>([
    () => author.city(),
    () => author.phrase(),
    () => author.phone(),
    () => `${author.number(1975, 2025)}`,
    () => capital(author.words(author.number(2, 5))),
    () => author.pick(CREDENTIALS),
    () => author.quote(),
    () => author.sentence(),
    () => `${author.sentence()} ${author.sentence()}`,
    () =>
      `${
        author
          .words(1)
          .toLowerCase()
          .replaceAll(/[^a-z]/gu, '') || 'info'
      }@acme.example`,
    () => tag('a', label, ' href="/x"'),
    () => label,
  ])
  const isAlways = author.chance(0.6)
  return () => (isAlways || author.chance(0.6) ? note() : '')
}

/** Lays out a list of people, with a few other texts for each. Some lists contain names only. */
export function composed(people: readonly Person[], author: Author): string {
  const isBare = author.chance(0.08)
  const isTitled = (): boolean => !isBare && (lacks === 0 || !author.chance(lacks))
  const lacks = author.chance(0.15) ? 0.25 : 0
  const isLinked = author.chance(0.15)
  const name: Part = ({ shown }) => (isLinked ? tag('a', escapeHtml(shown), ' href="/x"') : escapeHtml(shown))
  const title: Part = (person) => {
    if (!isTitled()) person.title = ''
    return escapeHtml(person.title)
  }
  const parts = author.chance(0.3) ? [title, name] : [name, title]
  for (let notes = author.pick([0, 0, 1, 1, 2, 3]); notes > 0; notes--) {
    // Most notes follow the name and the title.
    const at = author.chance(0.6) ? parts.length : author.number(0, parts.length)
    parts.splice(at, 0, noteOf(author))
  }
  return arrange(parts, people, author)
}

/** Words before the names of streets, buildings and ships. */
const STREETS = [
  'Via',
  'Viale',
  'Piazza',
  'Rue',
  'Place',
  'Calle',
  'Avenida',
  'Rua',
  'Ulica',
  'Villa',
  'Casa',
  'Haus',
  'Santa',
  'San',
  'Saint',
  'Suite',
  'MS',
  'Plaza',
  'Palazzo',
  'Sala',
]

/**
 * Lays out products, rooms, ships or prizes that are named after people, with prices, sizes or years instead of contact
 * data.
 */
export function composedNamesakes(author: Author): string {
  const word = capital(author.words(1))
  const street = author.pick(STREETS)
  const form = author.pick<(name: string) => string>([
    (name) => name,
    (name) => name,
    (name) => name.split(' ')[0] ?? name,
    (name) => `${word} ${name}`,
    (name) => `${name} ${word}`,
    (name) => `${word} ${name.split(' ')[0]}`,
    (name) => `«${name}»`,
    (name) => `${street} ${name}`,
    (name) => `${street} ${name.split(' ').at(-1)}`,
  ])
  const things = author.people(2, 7).map(({ name }): Person => ({ shown: form(name), name, title: '' }))
  const isOffice = author.chance(0.2)
  const parts: Part[] = [
    ({ shown }) => escapeHtml(shown),
    isOffice ? () => author.heading('neutral') : measureOf(author),
  ]
  if (author.chance(0.6)) parts.push(author.chance(0.5) ? measureOf(author) : noteOf(author))
  return arrange(parts, things, author)
}

/** Returns a function that generates prices, sizes, years or descriptions. */
function measureOf(author: Author): Part {
  const unit = author.pick(['m²', 'm', 'cm', 'kg', 'l', 'ml', 'pax', 'kW', '%'])
  const currency = author.pick(['€', '$', '£', 'kr', 'zł', 'Kč', 'Ft', 'CHF', '¥', '₺', 'Rp'])
  return author.pick<Part>([
    () => `${author.number(5, 999)} ${currency}`,
    () => `${currency} ${author.number(5, 999)}.${author.number(10, 99)}`,
    () => `${author.number(2, 400)} ${unit}`,
    () => `${author.words(1)}: ${author.number(2, 400)} ${unit}`,
    () => `${author.number(1900, 2025)}`,
    () => `${author.number(2, 400)} ${unit} · ${capital(author.words(2))}`,
    () => capital(author.words(author.number(2, 6))),
    () => author.sentence(),
  ])
}

/** Lays out a list of things, some of which have people's names. */
export function composedThings(author: Author): string {
  const share = author.pick([0, 0.3, 1])
  const things = Array.from({ length: author.number(2, 7) }, (): Person => {
    const shown = author.chance(share) ? author.name() : capital(author.words(author.number(1, 2)))
    return { shown, name: shown, title: '' }
  })
  const parts: Part[] = [({ shown }) => escapeHtml(shown), noteOf(author)]
  if (author.chance(0.5)) parts.push(noteOf(author))
  return arrange(parts, things, author)
}

function arrange(parts: readonly Part[], people: readonly Person[], author: Author): string {
  const members = people.map((person) => parts.map((part) => part(person)))
  const arrangement = author.next()
  if (arrangement < 0.15) return inTable(members, author)
  const [list, item] = author.pick(HOLDERS)
  const write =
    arrangement < 0.55 ? inBlocks(parts.length, author) : arrangement < 0.8 ? inLine(author) : withBreaks(author)
  const style = author.chance(0.4) ? ` class="${author.className('neutral')}"` : ''
  const photo = author.chance(0.4) ? '<img src="/i.jpg" alt="">' : ''
  const items = members.map((texts) => tag(item, photo + write(texts), style)).join('\n')
  return tag(list, items)
}

/** Each text in its own element, which may be nested. */
function inBlocks(count: number, author: Author): (texts: readonly string[]) => string {
  const tags = Array.from({ length: count }, () => [
    ...(author.chance(0.25) ? ['div'] : []),
    author.pick(BLOCKS),
    ...(author.chance(0.25) ? [author.pick(INLINE)] : []),
  ])
  return (texts) =>
    texts
      .map((text, at) => (text === '' ? '' : (tags[at] ?? ['p']).reduceRight((inner, name) => tag(name, inner), text)))
      .join('\n')
}

/** All texts on one line, separated by marks or in inline elements. A long text and those after it follow below. */
function inLine(author: Author): (texts: readonly string[]) => string {
  const mark = author.pick(MARKS)
  const isMarked = mark !== ' '
  const outer = author.pick([...BLOCKS, 'summary'])
  const inline = Array.from({ length: 6 }, () => (!isMarked || author.chance(0.4) ? author.pick(INLINE) : ''))
  const bracketed = author.chance(0.15)
  return (texts) => {
    const written = texts.map((text, at) => {
      const name = inline[at] ?? ''
      return name === '' || text === '' ? text : tag(name, text)
    })
    const long = written.findIndex((text) => text.length > 90)
    const line = written.slice(0, long === -1 ? undefined : long).filter((text) => text !== '')
    const joined = bracketed && line.length > 1 ? `${line[0]} (${line[1]})${line.slice(2).join(mark)}` : line.join(mark)
    return (joined === '' ? '' : tag(outer, joined)) + (long === -1 ? '' : tag('div', written.slice(long).join('<br>')))
  }
}

/** All texts in one paragraph, separated by line breaks. */
function withBreaks(author: Author): (texts: readonly string[]) => string {
  const first = author.chance(0.5) ? author.pick(INLINE) : ''
  return (texts) => {
    const lines = texts.filter((text) => text !== '')
    return tag('p', [first ? tag(first, lines[0] ?? '') : lines[0], ...lines.slice(1)].join('<br>'))
  }
}

function inTable(members: readonly (readonly string[])[], author: Author): string {
  const row = (cells: readonly string[], cell: string): string =>
    tag('tr', cells.map((text) => tag(cell, text)).join(''))
  const count = members[0]?.length ?? 0
  const head = author.chance(0.5)
    ? row(
        Array.from({ length: count }, () => author.heading('neutral')),
        author.pick(['th', 'td']),
      )
    : ''
  return tag('table', head + members.map((texts) => row(texts, 'td')).join(''))
}
