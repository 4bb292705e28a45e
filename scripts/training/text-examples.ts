/** Short labeled texts, to train the text models. Deterministic. */
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import type { SeededRandom } from '../../src/demo/seeded-random.ts'
import { mulberry32, randomOf } from '../../src/demo/seeded-random.ts'
import type { SectionKind } from '../../src/enrichment/people/models/classify-section.ts'
import type { TextKind } from '../../src/enrichment/people/models/classify-text.ts'
import { readWords } from '../../src/enrichment/vocabulary/read-words.ts'
import type { Half } from './words.ts'
import { isIn, localeData, locales, phrases, sections, strings, titles, usable } from './words.ts'

export interface Labeled<Kind extends string> {
  text: string
  kind: Kind
  /** Two-letter language code; empty if the text does not belong to a particular language. */
  language: string
}

const FAMILY_FIRST = new Set(['hu', 'ja', 'ko', 'zh', 'vi'])
const UNSPACED = new Set(['zh', 'ko', 'ja'])
const NAMES_PER_LOCALE = 420
const OTHERS_PER_LOCALE = 160
const SEED = 20_261_122
let random = randomOf(mulberry32(SEED))
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns a name in a locale's language, built from words of one half; undefined if the locale has no names. */
export function nameOf(locale: string, half: Half, { next, pick }: SeededRandom): string | undefined {
  const { person } = localeData(locale)
  const [first, last] = [person?.['first_name'], person?.['last_name']].map((list) =>
    strings(list).filter((text) => usable(text) && isIn(half, text)),
  ) as [string[], string[]]
  const language = locale.slice(0, 2)
  if (first.length === 0 || last.length === 0) return undefined
  const chance = next()
  let given = pick(first)
  let family = pick(last)
  if (FAMILY_FIRST.has(language)) return `${family}${UNSPACED.has(language) && chance < 0.6 ? '' : ' '}${given}`
  if (chance < 0.07) given = `${given}-${pick(first)}`
  else if (chance < 0.16) family = `${family}-${pick(last)}`
  else if (chance < 0.21) family = `${family} ${pick(last)}`
  if (chance > 0.92) given = `${given} ${pick(first).charAt(0)}.`
  else if (chance > 0.86) given = `${given} ${pick(first)}`
  else if (chance > 0.84) given = `${given.charAt(0)}. ${pick(first).charAt(0)}.`
  const name = `${given} ${family}`
  return next() < 0.05 ? name.toLocaleUpperCase() : name
}

function othersOf(locale: string): string[] {
  const { location, word, commerce, company, animal, food, music, vehicle, science } = localeData(locale)
  const nouns = strings(word?.['noun']).filter(usable)
  const adjectives = strings(word?.['adjective']).filter(usable)
  const things = [commerce, company, animal, food, music, vehicle, science].flatMap(strings).filter(usable)
  const places = strings(location).filter(usable)
  const texts: string[] = []
  for (let count = 0; count < OTHERS_PER_LOCALE && things.length > 0; count++)
    texts.push(
      random.next() < 0.4
        ? `${capital(random.pick(things))} ${capital(random.pick(things))}`
        : capital(random.pick(things)),
    )
  for (let count = 0; count < OTHERS_PER_LOCALE / 2 && places.length > 0; count++)
    texts.push(capital(random.pick(places)))
  for (let count = 0; count < OTHERS_PER_LOCALE && nouns.length > 0 && adjectives.length > 0; count++)
    texts.push(
      random.next() < 0.5
        ? `${capital(random.pick(adjectives))} ${capital(random.pick(nouns))}`
        : `${capital(random.pick(nouns))} ${random.pick(nouns)}`,
    )
  return texts
}

function titlesOf(locale: string): string[] {
  const { person } = localeData(locale)
  const [area, type, level] = [person?.['job_area'], person?.['job_type'], person?.['job_descriptor']].map((list) =>
    strings(list).filter(usable),
  ) as [string[], string[], string[]]
  if (type.length === 0) return []
  return Array.from({ length: 120 }, () => {
    const parts = [
      random.next() < 0.4 && level.length > 0 ? random.pick(level) : '',
      area.length > 0 ? random.pick(area) : '',
      random.pick(type),
    ]
    return (/^(es|fr|it|pt|ro)/u.test(locale) ? parts.toReversed() : parts).filter(Boolean).join(' ')
  })
}

const gold = parse<{ title: string }>(
  readFileSync(new URL('../../test/fixtures/gold/titles/dev.csv', import.meta.url)),
  { columns: true },
)
const vocabulary = readWords('words/not-in-names').filter((word) => /^\p{L}{3,}$/u.test(word))

/** Returns labeled texts, built from words of one half. */
export function textExamples(half: Half): Labeled<TextKind>[] {
  // The examples do not depend on earlier calls.
  random = randomOf(mulberry32(SEED))
  const own = titles.filter(([, text]) => isIn(half, text))
  const byLanguage = Map.groupBy(own, ([language]) => language)
  const headings = sections.filter(({ text }) => isIn(half, text))
  return [
    ...locales.flatMap((locale) => {
      const label =
        (kind: TextKind) =>
        (text: string): Labeled<TextKind> => ({ text: text.normalize('NFC'), kind, language: locale.slice(0, 2) })
      const names = Array.from({ length: NAMES_PER_LOCALE }, () => nameOf(locale, half, random)).filter(
        (name) => name !== undefined,
      )
      return [
        ...names.map(label('name')),
        ...othersOf(locale)
          .filter((text) => isIn(half, text))
          .map(label('other')),
        ...titlesOf(locale)
          .filter((text) => isIn(half, text))
          .map(label('title')),
      ]
    }),
    // Handwritten titles are used several times, because there are few of them and faker builds titles from few words.
    ...own.flatMap(([language, text]) =>
      [
        text,
        capital(text),
        text.toLocaleLowerCase(),
        `${text} / ${random.pick(byLanguage.get(language) ?? own)[1]}`,
        `${text}, ${random.pick(byLanguage.get(language) ?? own)[1]}`,
      ].map((one): Labeled<TextKind> => ({ text: one, kind: 'title', language })),
    ),
    ...gold
      .filter(({ title }) => isIn(half, title))
      .flatMap(({ title }) =>
        [title, title].map((text): Labeled<TextKind> => ({ text, kind: 'title', language: 'en' })),
      ),
    ...phrases
      .filter(([, text]) => isIn(half, text))
      .flatMap(([language, text]) =>
        [text, text, text].map((one): Labeled<TextKind> => ({ text: one, kind: 'other', language })),
      ),
    ...headings.flatMap(({ language, text }) =>
      [capital(text), text].map((one): Labeled<TextKind> => ({ text: one, kind: 'other', language })),
    ),
    ...Array.from(
      { length: half === 'both' ? 2400 : 1200 },
      (): Labeled<TextKind> => ({
        text: Array.from({ length: random.next() < 0.7 ? 2 : 3 }, () => capital(random.pick(vocabulary))).join(' '),
        kind: 'other',
        language: 'en',
      }),
    ),
  ]
}

/** Words that precede the noun in a heading, by language. */
const BEFORE: Record<string, string[]> = {
  en: ['Our', 'Selected', 'Happy', 'Meet our', 'Recent', 'Some of our', 'The', 'Featured', 'All', 'Your'],
  de: ['Unsere', 'Unser', 'Ausgewählte', 'Die', 'Ihre', 'Alle'],
  fr: ['Nos', 'Notre', 'Les', 'Quelques', 'Vos'],
  es: ['Nuestros', 'Nuestro', 'Los', 'Algunos', 'Las'],
  it: ['I nostri', 'Il nostro', 'Alcuni', 'Le nostre'],
  pt: ['Nossos', 'Os nossos', 'Alguns', 'As nossas'],
  nl: ['Onze', 'Ons', 'Enkele', 'De'],
  sv: ['Våra', 'Vårt', 'Några av våra'],
  da: ['Vores', 'Udvalgte'],
  no: ['Våre', 'Vårt', 'Utvalgte'],
  fi: ['Meidän', 'Kaikki'],
  pl: ['Nasi', 'Nasze', 'Wybrani', 'Nasz'],
  cs: ['Naši', 'Náš', 'Vybraní'],
  sk: ['Naši', 'Náš', 'Vybraní'],
  ru: ['Наши', 'Наша', 'Избранные'],
  uk: ['Наші', 'Наша'],
  bg: ['Нашите', 'Нашият'],
  el: ['Οι', 'Η', 'Το'],
  tr: ['Bizim', 'Seçkin'],
  id: ['Para', 'Daftar'],
  ja: ['私たちの', '当社の'],
  ko: ['우리', '주요'],
  zh: ['我们的', '主要'],
  ro: ['Ai noștri'],
  hr: ['Naši'],
  sl: ['Naši'],
}

/**
 * Returns headings and cues of one half, labeled with the kind of people that they introduce. Titles and names are
 * neutral.
 */
export function sectionExamples(half: Half): Labeled<SectionKind>[] {
  random = randomOf(mulberry32(SEED))
  const lists: [string, SectionKind][] = [
    ['links/team', 'own'],
    ['links/elsewhere', 'neutral'],
    ['links/about', 'neutral'],
    ['links/contact', 'neutral'],
    ['links/news', 'others'],
  ]
  const listed = lists.flatMap(([list, kind]) => readWords(list).map((text) => ({ text, kind, language: '' })))
  const known = new Set(sections.map(({ text }) => text))
  const written = [...sections, ...listed.filter(({ text }) => !known.has(text))].filter(({ text }) => isIn(half, text))
  return [
    ...written.flatMap((one) => {
      const before = BEFORE[one.language] ?? BEFORE['en'] ?? []
      const space = /^(?:ja|zh)$/u.test(one.language) ? '' : ' '
      const more = [random.pick(before), random.pick(before)].map((word) => `${word}${space}${one.text}`)
      return [one.text, capital(one.text), one.text.toLocaleUpperCase(), `${capital(one.text)}:`, ...more].map(
        (text) => ({ ...one, text }),
      )
    }),
    ...titles.map(([language, text]): Labeled<SectionKind> => ({ text, kind: 'neutral', language })),
    ...phrases.map(([language, text]): Labeled<SectionKind> => ({ text, kind: 'neutral', language })),
    ...locales.flatMap((locale) =>
      Array.from({ length: 12 }, () => nameOf(locale, 'both', random))
        .filter((name) => name !== undefined)
        .map((text): Labeled<SectionKind> => ({ text, kind: 'neutral', language: locale.slice(0, 2) })),
    ),
  ]
}
