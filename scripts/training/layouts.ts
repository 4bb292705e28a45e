/** Page layouts that show the company's people. */
import type { Author, Person } from './author.ts'
import { CREDENTIALS, capital, escapeHtml, INVERTED } from './author.ts'
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

/** Introduces a person in a sentence; undefined if the language has no such sentences. */
const introduce = (author: Author, name: string, title: string): string | undefined => {
  const templates = OWN_IN_SENTENCES[author.language]
  return templates && author.pick(templates).replaceAll('{n}', name).replaceAll('{t}', title)
}

/** Gives all people the same title, in groups of one to four. */
function inGroups(people: readonly Person[], author: Author): Person[][] {
  const groups: Person[][] = []
  for (const person of people) {
    const last = groups.at(-1)
    if (last?.[0] && last.length < 4 && author.chance(0.6)) {
      person.title = last[0].title
      last.push(person)
    } else groups.push([person])
  }
  return groups
}

/** Layouts in which several people share one title. */
export const SHARED: Layout[] = [
  (people, author) => {
    const mark = author.pick([', ', ' / ', ' · ', '; ', ', '])
    return tag(
      'p',
      inGroups(people, author)
        .map(
          (group) => `${escapeHtml(group[0]?.title ?? '')}: ${group.map(({ shown }) => escapeHtml(shown)).join(mark)}`,
        )
        .join('<br>'),
    )
  },
  (people, author) =>
    tag(
      'dl',
      inGroups(people, author)
        .map((group) => tag('dt', escapeHtml(group[0]?.title ?? '')) + all(group, (shown) => tag('dd', shown)))
        .join(''),
    ),
  (people, author) => {
    const level = author.pick(['h3', 'h4', 'h5', 'p'])
    return inGroups(people, author)
      .map(
        (group) =>
          tag(
            level,
            level === 'p' ? tag('strong', escapeHtml(group[0]?.title ?? '')) : escapeHtml(group[0]?.title ?? ''),
          ) +
          tag(
            'ul',
            all(group, (shown) => tag('li', shown)),
          ),
      )
      .join('')
  },
  (people, author) =>
    tag(
      'table',
      inGroups(people, author)
        .map((group) =>
          tag(
            'tr',
            tag('th', escapeHtml(group[0]?.title ?? '')) +
              tag('td', group.map(({ shown }) => escapeHtml(shown)).join(author.pick(['<br>', ', ']))),
          ),
        )
        .join(''),
    ),
]

/** Writes the people as a chart: each list item may contain a list of the people below. */
function chart(people: readonly Person[], write: (person: Person) => string, author: Author): string {
  const [first, ...others] = people
  if (!first) return ''
  const cut = author.number(0, others.length)
  const below = others.slice(0, cut)
  return (
    tag('li', write(first) + (below.length > 0 ? tag('ul', chart(below, write, author)) : '')) +
    chart(others.slice(cut), write, author)
  )
}

const email = (author: Author): string => `<a href="mailto:x@acme.example">${author.number(1, 99)}x@acme.example</a>`

/** Layouts with departments, contact data, charts, captions, tabs and biographies. */
export const FURTHER: Layout[] = [
  // A directory by department.
  (people, author) => {
    const titleFirst = author.chance(0.4)
    const cell = author.pick(['td', 'td', 'th'])
    return tag(
      'table',
      (author.chance(0.5)
        ? tag('tr', Array.from({ length: 4 }, () => tag('th', author.heading('neutral'))).join(''))
        : '') +
        all(people, (shown, title) => {
          const group = author.chance(0.35)
            ? tag('tr', `<${cell} colspan="4">${author.heading('neutral')}</${cell}>`)
            : ''
          const texts = titleFirst ? [title, shown] : [shown, title]
          return group + tag('tr', [...texts, author.phone(), email(author)].map((text) => tag('td', text)).join(''))
        }),
    )
  },
  (people, author) => {
    const write = author.chance(0.5)
      ? ({ shown, title }: Person): string => tag('span', escapeHtml(title)) + tag('span', escapeHtml(shown))
      : author.chance(0.5)
        ? ({ shown, title }: Person): string => `${tag('b', escapeHtml(shown))} ${escapeHtml(title)}`
        : ({ shown, title }: Person): string => `${escapeHtml(title)}: ${escapeHtml(shown)}`
    return tag('ul', chart(people, write, author))
  },
  (people, author) => {
    const bracketed = author.chance(0.5)
    const texts = people.map(({ shown, title }) =>
      bracketed ? `${escapeHtml(shown)} (${escapeHtml(title)})` : `${escapeHtml(shown)}, ${escapeHtml(title)}`,
    )
    const caption = `${author.chance(0.7) ? `${capital(author.words(2))}: ` : ''}${texts.join(bracketed ? ', ' : '; ')}`
    return tag('figure', `<img src="/team.jpg" alt="">${tag('figcaption', caption)}`)
  },
  (people, author) =>
    all(people, (shown, title) =>
      tag('details', tag('summary', shown) + tag('p', title) + tag('p', author.sentence())),
    ),
  (people, author) =>
    tag(
      'ul',
      all(people, (shown) => tag('li', tag('a', shown, ' href="#x"'))),
      ' role="tablist"',
    ) +
    all(people, (shown, title) =>
      tag('div', tag('h3', shown) + tag('p', title) + biography(author, 0.7), ' role="tabpanel"'),
    ),
  (people, author) =>
    all(people, (shown, title) =>
      tag(
        'div',
        tag('p', capital(author.words(2))) +
          tag('p', `${tag('b', shown)}<br>${title}<br>${author.phone()}<br>${email(author)}`),
      ),
    ),
  (people, author) =>
    all(people, (shown, title) =>
      tag('p', `${capital(author.words(2))}: ${shown}, ${title}, ${author.phone()}, ${email(author)}`),
    ),
  // People by department, or with the employer or the previous job below.
  (people, author) => {
    const [level, text] = [author.pick(['h4', 'b', 'strong']), author.pick(['p', 'div', 'span'])]
    return all(
      people,
      (shown, title) =>
        (author.chance(0.4) ? tag('h3', author.heading('neutral')) : '') +
        tag('div', photo(author) + tag(level, shown) + tag(text, title) + biography(author, 0.3)),
    )
  },
  (people, author) => {
    const note = author.pick([
      () => `${author.title()}, ${author.company()}`,
      () => `${author.title()} ${author.pick(['at', 'bei', 'chez', '@', '–', 'hos'])} ${author.company()}`,
      () => `${author.number(1975, 2025)} – ${author.title()}, ${author.company()}`,
    ])
    return all(people, (shown, title) => tag('div', tag('h4', shown) + tag('p', title) + tag('p', note())))
  },
  // The title is only in the first sentence of the biography.
  (people, author) => {
    const heading = author.pick(['h3', 'h4', 'h2', 'strong', 'summary'])
    return all(people, (shown, title, { name }) => {
      const given = INVERTED.has(author.language) && author.chance(0.7) ? (name.split(' ')[0] as string) : shown
      const sentence = introduce(author, given, title)
      const text = sentence ? `${sentence} ${author.sentence()}` : `${title}. ${author.sentence()}`
      return tag('div', photo(author) + tag(heading, shown) + tag('p', text))
    })
  },
  // Scripts without spaces write titles directly beside names.
  (people, author) => {
    const isUnspaced = /^(?:ja|ko|zh)$/u.test(author.language)
    const titleFirst = author.chance(0.5)
    const mark = isUnspaced ? author.pick([' ', ' ', '　', ' / ']) : author.pick([' / ', ' — ', ' :: ', ' » '])
    const element = author.pick(['li', 'p', 'div', 'td'])
    const inner = all(people, (shown, title) =>
      tag(element, titleFirst ? `${title}${mark}${shown}` : `${shown}${mark}${title}`),
    )
    return element === 'td' ? tag('table', inner.replaceAll('<td>', '<tr><td>')) : inner
  },
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
