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

/** Returns a function that writes the contact data of each person in the same way: telephone, mailbox or both. */
function contactsOf(author: Author): (person: Person) => string[] {
  const [hasPhone, hasMail] = author.pick([
    [true, true],
    [true, true],
    [true, false],
    [false, true],
  ])
  const [phoneLabel, mailLabel] = author.chance(0.3) ? [`${author.words(1)}: `, `${author.words(1)}: `] : ['', '']
  const isPhoneLink = author.chance(0.3)
  return ({ name }) => [
    ...(hasPhone
      ? [phoneLabel + (isPhoneLink ? tag('a', author.phone(), ' href="tel:+15550100"') : author.phone())]
      : []),
    ...(hasMail ? [mailLabel + email(author, name)] : []),
  ]
}

function email(author: Author, name: string): string {
  const address = author.mailbox(name)
  const form = author.next()
  if (form < 0.3) return address
  return tag('a', form < 0.85 ? address : form < 0.95 ? 'E-Mail' : '<i></i>', ` href="mailto:${address}"`)
}

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
        all(people, (shown, title, { name }) => {
          const group = author.chance(0.35)
            ? tag('tr', `<${cell} colspan="4">${author.heading('neutral')}</${cell}>`)
            : ''
          const texts = titleFirst ? [title, shown] : [shown, title]
          return (
            group + tag('tr', [...texts, author.phone(), email(author, name)].map((text) => tag('td', text)).join(''))
          )
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
    all(people, (shown, title, { name }) =>
      tag(
        'div',
        tag('p', capital(author.words(2))) +
          tag('p', `${tag('b', shown)}<br>${title}<br>${author.phone()}<br>${email(author, name)}`),
      ),
    ),
  (people, author) =>
    all(people, (shown, title, { name }) =>
      tag('p', `${capital(author.words(2))}: ${shown}, ${title}, ${author.phone()}, ${email(author, name)}`),
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
  (people, author) => {
    const contacts = contactsOf(author)
    const head = author.chance(0.5)
      ? tag('tr', Array.from({ length: 3 }, () => tag('th', author.heading('neutral'))).join(''))
      : ''
    return tag(
      'table',
      head +
        all(people, (shown, _, person) =>
          tag('tr', [shown, ...contacts(person)].map((cell) => tag('td', cell)).join('')),
        ),
    )
  },
  (people, author) => {
    const contacts = contactsOf(author)
    const [holder, name, detail] = [
      author.pick(['div', 'li', 'article']),
      author.pick(['h3', 'h4', 'b', 'p', 'div']),
      author.pick(['p', 'div']),
    ]
    return all(people, (shown, _, person) =>
      tag(
        holder,
        photo(author) +
          tag(name, shown) +
          contacts(person)
            .map((text) => tag(detail, text))
            .join(''),
      ),
    )
  },
  (people, author) => {
    const contacts = contactsOf(author)
    const mark = author.pick([', ', ' – ', ' | ', '<br>', ' · '])
    const element = author.pick(['li', 'p', 'div'])
    return all(people, (shown, _, person) => tag(element, [shown, ...contacts(person)].join(mark)))
  },
  (people, author) => {
    const element = author.pick(['li', 'div', 'h4'])
    return all(people, (shown) => tag(element, tag('a', photo(author) + shown, ' href="/team/x"')))
  },
  // A place, language or task beside each name: `Graz: Jane Doe, tel. 1 555 0100`, `Jane Doe (French)`.
  (people, author) => {
    const contacts = contactsOf(author)
    const form = author.pick<(name: string, note: string) => string>([
      (name, note) => `${note}: ${name}`,
      (name, note) => `${name} (${note.toLowerCase()})`,
      (name, note) => `${name}, ${note.toLowerCase()}`,
      (name) => name,
    ])
    const [element, mark, hasContact] = [
      author.pick(['li', 'p', 'div', 'td', 'dd']),
      author.pick([', ', ', ', ' ', ' – ', '<br>']),
      author.chance(0.8),
    ]
    return all(people, (shown, _, person) =>
      tag(
        element,
        [
          form(shown, author.chance(0.5) ? author.city() : capital(author.words(author.number(1, 3)))),
          ...(hasContact ? contacts(person) : []),
        ].join(mark),
      ),
    )
  },
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

const AND: Record<string, string> = {
  cs: 'a',
  da: 'og',
  de: 'und',
  en: 'and',
  es: 'y',
  fi: 'ja',
  fr: 'et',
  hr: 'i',
  hu: 'és',
  id: 'dan',
  it: 'e',
  nl: 'en',
  no: 'og',
  pl: 'i',
  pt: 'e',
  ro: 'și',
  ru: 'и',
  sk: 'a',
  sl: 'in',
  sv: 'och',
  tr: 've',
  uk: 'і',
}

/** Lists the people in one paragraph, each with the title before or after the name, or with a telephone. */
export const inOneParagraph: Layout = (people, author) => {
  const form = author.pick<(name: string, title: string) => string>([
    (name, title) => `${name} (${title})`,
    (name, title) => `${name}, ${title}`,
    (name, title) => `${name} – ${title}`,
    (name, title) => `${title} ${name}`,
    (name, title) => `${title}: ${name}`,
    (name, title) => `${title}, ${name}`,
  ])
  const [words, phones] = [author.chance(0.3), author.chance(0.2)]
  const texts = people.map(
    ({ shown, title }) =>
      `${words ? `${author.words(author.number(1, 4)).toLowerCase()} ` : ''}${form(escapeHtml(shown), escapeHtml(title))}${phones ? `, ${author.phone()}` : ''}`,
  )
  const mark = author.pick([', ', '; ', '; ', '. ', ' · '])
  const and = AND[author.language]
  const last = texts.length > 1 && and !== undefined && mark !== ' · ' && author.chance(0.5) ? texts.pop() : undefined
  const list = texts.join(mark) + (last === undefined ? '' : ` ${and} ${last}`)
  const before = author.chance(0.75)
    ? `${capital(author.words(author.number(1, 6)))}${author.pick([':', '', ',', ' –'])} `
    : ''
  const after = author.chance(0.5) ? `. ${author.sentence()}` : '.'
  return tag(
    author.pick(['p', 'p', 'div', 'li', 'td']),
    `${author.chance(0.3) ? `${author.sentence()} ` : ''}${before}${list}${after}`,
  )
}

/** Writes a short line for each person, in its own block: `Graz: welder Jane Doe, +43 1 555 0100`. */
export const inShortLines: Layout = (people, author) => {
  const mark = author.pick([', ', ' · ', ' – ', ' | '])
  const form = author.pick<(name: string, title: string) => string>([
    (name, title) => `${name}${mark}${title}`,
    (name, title) => `${title} ${name}`,
    (name, title) => `${title}${mark}${name}`,
  ])
  const [hasLabel, hasContact] = [author.chance(0.6), author.chance(0.7)]
  const contacts = contactsOf(author)
  const element = author.pick(['p', 'li', 'div', 'td', 'dd'])
  return all(people, (shown, title, person) => {
    const text = [form(shown, title), ...(hasContact ? contacts(person) : [])].join(mark)
    const sentence = author.chance(0.2) ? ` ${author.sentence()}` : ''
    return tag(element, `${hasLabel ? `${capital(author.words(1))}: ` : ''}${text}${sentence}`)
  })
}

export const inSentences: Layout = (people, author) => {
  const templates = OWN_IN_SENTENCES[author.language] ?? []
  if (templates.length === 0) return OWN_LAYOUTS[0]?.(people, author) ?? ''
  return all(people, (shown, title) => {
    const written = author.pick(templates).replaceAll('{n}', shown).replaceAll('{t}', title)
    const before = author.chance(0.3) ? `${author.sentence()} ` : ''
    return tag('p', `${before}${written} ${author.chance(0.5) ? author.sentence() : ''}`)
  })
}
