/** Blocks of invented pages about people outside the company, or about things. */
import type { Author } from './author.ts'
import { capital, escapeHtml } from './author.ts'
import { composed, composedNamesakes, composedThings } from './composed.ts'
import type { Layout } from './layouts.ts'
import { all, inOneParagraph, OWN_LAYOUTS, tag } from './layouts.ts'
import { OTHERS_IN_SENTENCES } from './sentences.ts'

/** Writes a block about people outside the company, or about things. */
type Distraction = (author: Author) => string

export const DISTRACTIONS: Distraction[] = [
  (author) =>
    (author.chance(0.6) ? heading(author, 'others') : '') +
    all(author.people(1, 4), (shown, title) =>
      tag(
        'div',
        tag('p', author.quote()) +
          tag('p', shown) +
          tag('p', author.chance(0.6) ? `${title}, ${author.company()}` : title),
        author.pick(['', ' class="testimonial"', ' class="review"', ' class="slide"']),
      ),
    ),
  (author) =>
    all(
      author.people(1, 2),
      (shown, title) => tag('blockquote', author.quote()) + tag('p', `${shown}<br>${title}, ${author.company()}`),
    ),
  (author) => tag('div', tag('p', `${author.quote()} <i>${author.name()}, ${author.title()}, ${author.company()}</i>`)),
  (author) =>
    heading(author, 'others') +
    all(author.people(2, 4), (shown) =>
      tag(
        'article',
        tag('h3', capital(author.words(5))) +
          tag('p', `${shown} · ${author.number(1, 28)}.${author.number(1, 12)}.20${author.number(10, 26)}`) +
          tag('p', author.sentence()),
      ),
    ),
  (author) =>
    heading(author, 'others') +
    tag(
      'table',
      tag(
        'tr',
        [author.heading('neutral'), author.heading('others'), author.heading('others')]
          .map((cell) => tag('td', tag('b', cell)))
          .join(''),
      ) +
        all(author.people(2, 5), (shown, title) =>
          tag(
            'tr',
            tag('td', capital(author.words(1))) +
              tag('td', author.company()) +
              tag('td', `${shown}${author.chance(0.6) ? ` (${title})` : ''}`),
          ),
        ),
    ),
  (author) =>
    heading(author, author.chance(0.5) ? 'others' : 'neutral') +
    Array.from(
      { length: author.number(2, 5) },
      () => tag('h3', author.chance(0.4) ? author.name() : author.phrase()) + tag('p', author.sentence()),
    ).join(''),
  (author) =>
    heading(author, 'others') +
    Array.from({ length: author.number(2, 5) }, () =>
      tag('div', tag('p', tag('b', author.chance(0.5) ? author.name() : author.phrase())) + tag('p', author.phrase())),
    ).join(''),
  (author) =>
    heading(author, 'others') +
    tag(
      'ul',
      Array.from({ length: author.number(2, 5) }, () => tag('li', `<b>${author.name()}</b> – ${author.phrase()}`)).join(
        '',
      ),
    ),
  (author) =>
    heading(author, 'others') +
    tag(
      'ul',
      all(author.people(2, 6), (shown) => tag('li', shown)),
    ),
  (author) => heading(author, 'others') + (OWN_LAYOUTS[author.number(0, 11)] as Layout)(author.people(1, 5), author),
  (author) => heading(author, 'others') + (OWN_LAYOUTS[author.number(15, 24)] as Layout)(author.people(1, 5), author),
  (author) =>
    heading(author, 'others') +
    tag('ul', Array.from({ length: author.number(2, 4) }, () => tag('li', author.title())).join('')),
  (author) =>
    heading(author, 'neutral') +
    Array.from({ length: author.number(2, 5) }, () =>
      tag('div', tag('h3', author.phrase()) + tag('p', author.phrase())),
    ).join(''),
  (author) => tag('p', others(author)) + tag('p', others(author)),
  (author) => tag('p', others(author)),
  (author) => tag('p', `${author.sentence()} ${others(author)} ${author.sentence()}`),
  (author) => tag('div', `${author.heading('others')}: ${author.name()}`),
  (author) =>
    tag('p', `${capital(author.words(3))} ${author.company()}, ${author.name()}, ${author.title()}, ${author.phone()}`),
  (author) =>
    tag(
      'div',
      tag('p', tag('b', author.name())) + tag('p', `(${author.number(1890, 1940)}–${author.number(1960, 2015)})`),
    ),
  (author) =>
    tag(
      'ul',
      Array.from({ length: author.number(2, 6) }, () => tag('li', tag('a', author.phrase(), ' href="/x"'))).join(''),
    ),
  (author) =>
    tag('h4', author.heading('others')) +
    tag(
      'ul',
      Array.from({ length: 3 }, () =>
        tag('li', author.chance(0.5) ? author.company() : `${author.title()} ${author.name()}`),
      ).join(''),
    ),
  (author) => tag('p', author.sentence() + author.sentence()),
  (author) =>
    tag(
      'p',
      `${author.company()}<br>${author.name().split(' ').slice(0, 2).join(' ')} ${author.number(1, 99)}<br>${author.city()}`,
    ),
  (author) => tag('p', `${author.number(1, 99)}, ${author.name()} ${author.phrase()}, ${author.city()}`),
  (author) => tag('p', `${author.name()}, ${author.city()}<br>${author.name()}, ${author.city()}`),
  (author) =>
    tag('p', `${author.company()} ${author.words(1)} ${author.words(4)}. ${author.city()}, ${author.city()}.`),
  // Departments under a heading about the team.
  (author) =>
    heading(author, 'own') +
    Array.from({ length: author.number(2, 5) }, () =>
      tag(
        'div',
        tag('h3', author.heading('neutral')) + tag('p', author.chance(0.5) ? author.phrase() : author.words(2)),
      ),
    ).join(''),
  // Products, some of which are named after people.
  (author) =>
    (author.chance(0.6) ? heading(author, author.chance(0.5) ? 'neutral' : 'others') : '') + composedThings(author),
  (author) => (author.chance(0.3) ? heading(author, 'neutral') : '') + composedThings(author),
  // Products, rooms, ships and prizes with the names of people.
  (author) => (author.chance(0.6) ? heading(author, 'neutral') : '') + composedNamesakes(author),
  (author) =>
    (author.chance(0.6) ? heading(author, author.pick(['neutral', 'others'])) : '') + composedNamesakes(author),
  (author) => heading(author, 'others') + composed(author.people(1, 5), author),
  (author) => {
    const people = author.people(2, 5).map((one) => ({
      ...one,
      title: author.chance(0.6) ? `${one.title}, ${author.company()}` : one.title,
    }))
    return heading(author, 'others') + inOneParagraph(people, author)
  },
  // A contact at another company, for example an agency.
  (author) => {
    const mark = author.pick(['<br>', ', ', ' | ', ' – '])
    const { name, title } = author.person()
    const host =
      author
        .words(1)
        .toLowerCase()
        .replaceAll(/[^a-z]/gu, '') || 'agency'
    const texts = [
      author.company(),
      ...(author.chance(0.6) ? [author.chance(0.5) ? `${name}, ${title}` : name] : [name]),
      ...(author.chance(0.7) ? [author.phone()] : []),
      `<a href="mailto:${host}@${host}.example">${host}@${host}.example</a>`,
    ]
    return (
      (author.chance(0.7) ? heading(author, 'others') : '') + tag(author.pick(['p', 'div', 'li']), texts.join(mark))
    )
  },
  // A program of talks, or a list of articles with their authors.
  (author) => {
    const element = author.pick(['tr', 'li', 'div', 'p'])
    const isTalk = author.chance(0.5)
    return (
      (author.chance(0.7) ? heading(author, 'others') : '') +
      all(author.people(2, 6), (shown, title) => {
        const before = isTalk ? `${author.number(8, 19)}:${author.number(10, 59)}` : capital(author.words(4))
        const after = isTalk ? capital(author.words(4)) : `${author.number(1, 28)}.${author.number(1, 12)}.2024`
        const who = author.chance(0.4) ? `${shown}, ${title}` : shown
        const texts = [before, author.chance(0.4) ? `${who}, ${author.company()}` : who, after]
        return tag(
          element,
          element === 'tr'
            ? texts.map((text) => tag('td', text)).join('')
            : texts.join(author.pick([' – ', ' | ', '<br>'])),
        )
      })
    )
  },
  (author) =>
    (author.chance(0.7) ? heading(author, 'others') : '') +
    tag('p', Array.from({ length: author.number(3, 8) }, () => author.name()).join(author.pick([' · ', ', ', ' | ']))),
  (author) =>
    tag('h3', author.chance(0.3) ? author.name() : capital(author.words(3))) +
    tag(
      'ul',
      all(author.people(1, 3), (shown, title) =>
        tag('li', `${title}: ${shown}${author.chance(0.5) ? ` (${author.company()})` : ''}`),
      ),
    ),
  (author) =>
    tag('p', `${author.quote()} ${author.pick(['–', '—', ''])} ${author.name()}, ${author.title()}, ${author.city()}`),
  // Other companies with their heads, for example a portfolio.
  (author) => {
    const [element, label] = [author.pick(['div', 'li', 'article', 'tr']), author.title()]
    const cell = element === 'tr' ? 'td' : author.pick(['p', 'div', 'span'])
    return (
      (author.chance(0.7) ? heading(author, 'others') : heading(author, 'neutral')) +
      Array.from({ length: author.number(2, 5) }, () =>
        tag(
          element,
          tag(element === 'tr' ? 'td' : author.pick(['h3', 'b']), escapeHtml(author.company())) +
            tag(cell, author.phrase()) +
            tag(cell, author.chance(0.6) ? `${label}: ${author.name()}` : `${author.name()}, ${author.title()}`),
        ),
      ).join('')
    )
  },
  // Former staff, with years.
  (author) => {
    const item = author.pick(['li', 'p', 'div'])
    return (
      (author.chance(0.5) ? heading(author, 'others') : '') +
      all(author.people(1, 4), (shown, title) => {
        const from = author.number(1950, 2005)
        const years = author.pick([`${from}–${from + author.number(2, 25)}`, `(${from}–${from + 9})`, `† ${from}`])
        return tag(item, author.chance(0.5) ? `${shown}, ${title} ${years}` : `${years} ${shown}, ${title}`)
      })
    )
  },
  // Credits and officials in an imprint.
  (author) =>
    tag(
      'p',
      Array.from(
        { length: author.number(2, 4) },
        () =>
          `${author.heading('others')}: ${author.chance(0.5) ? `${author.company()}, ` : ''}${author.name()}${author.chance(0.3) ? `, ${author.title()}` : ''}`,
      ).join('<br>'),
    ),
  // The facts of a project with those who took part: clients, architects, photographers.
  (author) => {
    const [row, label, value] = author.pick([
      ['dl', 'dt', 'dd'],
      ['tr', 'th', 'td'],
      ['tr', 'td', 'td'],
      ['div', 'span', 'span'],
      ['div', 'h4', 'p'],
      ['li', 'b', 'span'],
    ] as const)
    const mark = author.pick(['', '', ': '])
    const roles = Array.from({ length: author.number(1, 4) }, () => [
      author.chance(0.6) ? author.title() : author.heading('others'),
      author.chance(0.6) ? author.name() : author.company(),
    ])
    const facts = Array.from({ length: author.number(1, 3) }, () => [
      capital(author.words(1)),
      author.pick([author.city(), `${author.number(40, 9000)} m²`, `${author.number(1990, 2026)}`, author.company()]),
    ])
    const rows = [...facts, ...roles].map(([name = '', text = '']) =>
      tag(row, tag(label, name) + mark + tag(value, escapeHtml(text))),
    )
    return (author.chance(0.5) ? heading(author, 'neutral') : '') + rows.join('')
  },
  // A firm that is named after two people.
  (author) =>
    tag(
      'p',
      `${author.title()}${author.pick([', ', ' bei ', ' at ', ' chez ', ' – '])}${author.name().split(' ').at(-1)} ${author.name().split(' ').at(-1)}, ${author.city()}`,
    ),
]

export const heading = (author: Author, kind: 'own' | 'others' | 'neutral'): string =>
  tag(author.pick(['h2', 'h2', 'h3', 'h4', 'p><b']), author.heading(kind)).replace('</p><b>', '</b></p>')

function others(author: Author): string {
  const templates = OTHERS_IN_SENTENCES[author.language] ?? OTHERS_IN_SENTENCES['en'] ?? []
  return author
    .pick(templates)
    .replaceAll('{n}', escapeHtml(author.name()))
    .replaceAll('{t}', escapeHtml(author.chance(0.5) ? author.title().toLocaleLowerCase() : author.title()))
    .replaceAll('{c}', escapeHtml(author.company()))
    .replaceAll('{y}', `${author.number(1950, 2024)}`)
}
