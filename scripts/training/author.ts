/** Invented names, titles, headings and sentences of one language. Deterministic. */
import type { SeededRandom } from '../../src/demo/seeded-random.ts'
import { mulberry32, randomOf } from '../../src/demo/seeded-random.ts'
import { nameOf } from './text-examples.ts'
import { isIn, localeData, locales, phrases, sections, strings, titles, usable } from './words.ts'

export interface Person {
  /** The name as written on the page. */
  shown: string
  name: string
  title: string
}

/** Languages whose names are missing, and languages with similar names. */
const SIMILAR_NAMES: Record<string, string> = {
  bg: 'mk',
  ca: 'es',
  et: 'fi',
  eu: 'es',
  ga: 'en',
  hi: 'ne',
  is: 'da',
  lt: 'lv',
  ms: 'id',
  no: 'nb',
  tl: 'es',
}
const localesOf = (language: string): string[] =>
  locales.filter((locale) => locale.slice(0, 2) === (SIMILAR_NAMES[language] ?? language))
const LANGUAGES = [...new Set(titles.map(([language]) => language))].filter(
  (language) => localesOf(language).length > 0,
)
const TITLES = Map.groupBy(
  titles.filter(([, text]) => isIn('second', text)),
  ([language]) => language,
)
const PHRASES = Map.groupBy(
  phrases.filter(([, text]) => isIn('second', text)),
  ([language]) => language,
)
const SECTIONS = Map.groupBy(
  sections.filter(({ text }) => isIn('second', text)),
  ({ language, kind }) => `${language} ${kind}`,
)
const KNOWN_SECTIONS = Map.groupBy(sections, ({ language, kind }) => `${language} ${kind}`)
const HONORIFICS: Record<string, string[]> = {
  de: ['Dr.', 'Prof. Dr.', 'Dipl.-Ing.', 'Mag.', 'Ing.', 'Dr. med.'],
  it: ['Dott.', 'Dott.ssa', 'Avv.', 'Ing.', 'Prof.'],
  fr: ['Me', 'Dr', 'Pr', 'M.', 'Mme'],
  es: ['D.', 'Dña.', 'Dr.', 'Dra.', 'Lic.'],
  pt: ['Dr.', 'Dra.', 'Eng.', 'Prof.'],
  pl: ['dr', 'mec.', 'dr hab.', 'mgr', 'inż.'],
  cs: ['Ing.', 'Mgr.', 'MUDr.', 'JUDr.', 'Bc.'],
  sk: ['Ing.', 'Mgr.', 'MUDr.', 'JUDr.'],
  hu: ['Dr.'],
  tr: ['Av.', 'Dr.', 'Prof. Dr.', 'Uzm. Dr.'],
  en: ['Dr.', 'Mr.', 'Ms.', 'Prof.', 'Shri', 'Smt.'],
}
export const CREDENTIALS = ['CFA', 'CFP®', 'MSc', 'PhD', 'BSc', 'MBA', 'CPA', 'MD', 'LL.M.', 'RN']
const FORMS = [
  'Ltd',
  'GmbH',
  'S.A.',
  'S.r.l.',
  'AB',
  'B.V.',
  'Inc.',
  'LLC',
  'Sp. z o.o.',
  's.r.o.',
  'Kft.',
  'A.Ş.',
  'Lda.',
  'Oy',
  'AS',
]
export const INVERTED = new Set(['en', 'es', 'fr', 'de', 'it', 'pt', 'pl', 'nl'])

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
export const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const lettersOf = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/gu, '')

export class Author {
  readonly language: string
  /** First label of the company's domain. */
  readonly host: string
  readonly ownCompany: string
  readonly #random: SeededRandom
  readonly #locales: string[]

  constructor(seed: number) {
    this.#random = randomOf(mulberry32(seed))
    this.language = this.chance(0.2) ? 'en' : this.pick(LANGUAGES)
    this.#locales = localesOf(this.language)
    this.ownCompany = this.company()
    this.host = lettersOf(this.ownCompany).slice(0, 20) || 'acme'
  }

  next(): number {
    return this.#random.next()
  }

  chance(share: number): boolean {
    return this.#random.chance(share)
  }

  pick<T>(list: readonly T[]): T {
    return this.#random.pick(list)
  }

  number(from: number, to: number): number {
    return this.#random.between(from, to)
  }

  name(): string {
    const locale = this.chance(0.1) ? this.pick(locales) : this.pick(this.#locales)
    return (nameOf(locale, 'second', this.#random) ?? nameOf('en', 'second', this.#random) ?? 'Jane Roe').normalize(
      'NFC',
    )
  }

  title(): string {
    const own = TITLES.get(this.language) ?? TITLES.get('en') ?? []
    const title = this.pick(own)[1]
    const chance = this.#random.next()
    if (chance < 0.08) return `${title}, ${this.pick(own)[1]}`
    if (chance < 0.12) return `${title} & ${this.pick(own)[1]}`
    if (chance < 0.16) return `${title} – ${this.phrase()}`
    return title
  }

  person(): Person {
    const name = this.name()
    const honorific = HONORIFICS[this.language]
    const before = honorific && this.chance(0.12) ? `${this.pick(honorific)} ` : ''
    const after = /\p{Script=Latin}/u.test(name) && this.chance(0.07) ? `, ${this.pick(CREDENTIALS)}` : ''
    return { shown: `${before}${name}${after}`, name, title: this.title() }
  }

  people(from: number, to: number): Person[] {
    const casing = this.chance(0.07)
    const lower = this.chance(0.15)
    return Array.from({ length: this.number(from, to) }, () => {
      const person = this.person()
      // Some team pages show only given names.
      const given = person.name.split(' ')[0] ?? ''
      if (this.chance(0.03) && /^\p{Lu}\p{Ll}{2,}$/u.test(given)) return { ...person, shown: given, name: given }
      return {
        ...person,
        shown: casing ? person.shown.toLocaleUpperCase() : person.shown,
        title: lower ? person.title.toLocaleLowerCase() : person.title,
      }
    })
  }

  phrase(): string {
    return this.pick(PHRASES.get(this.language) ?? PHRASES.get('en') ?? [])[1]
  }

  words(count: number): string {
    const { word } = localeData(this.pick(this.#locales))
    const list = strings(word).filter(usable)
    return Array.from({ length: count }, () => (list.length > 0 ? this.pick(list) : this.phrase())).join(' ')
  }

  sentence(): string {
    return `${capital(this.words(this.number(6, 18)))}.`
  }

  quote(): string {
    return this.pick(['“?”', '"?"', '„?”', '«?»', '?']).replace('?', this.sentence())
  }

  /** Returns a heading of the given kind, or occasionally two random words. */
  heading(kind: 'own' | 'others' | 'neutral'): string {
    if (this.chance(kind === 'others' ? 0.1 : 0.25)) return capital(this.words(2))
    const list =
      (this.chance(0.5) ? SECTIONS : KNOWN_SECTIONS).get(`${this.language} ${kind}`) ?? SECTIONS.get(`en ${kind}`) ?? []
    const text = capital(this.pick(list).text)
    return this.chance(0.1) ? text.toLocaleUpperCase() : text
  }

  /** Returns a class of a block of the given kind, as in English templates. */
  className(kind: 'own' | 'others' | 'neutral'): string {
    return this.pick(KNOWN_SECTIONS.get(`en ${kind}`) ?? []).text.replaceAll(/[^a-z]+/gu, '-')
  }

  company(): string {
    const last = this.name().split(' ').at(-1) ?? ''
    const base = this.chance(0.5) ? `${last} ${capital(this.words(1))}` : capital(this.words(2))
    return this.chance(0.6) ? `${base} ${this.pick(FORMS)}` : base
  }

  city(): string {
    const cities = strings(
      localeData(this.pick(this.#locales))['location']?.['city_name'] ??
        localeData(this.pick(this.#locales))['location'],
    ).filter(usable)
    return cities.length > 0 ? this.pick(cities) : 'Springfield'
  }

  /** Returns an address at the company: usually of the person, otherwise of a function. */
  mailbox(name: string): string {
    const words = name.split(' ').map(lettersOf).filter(Boolean)
    const [first = '', last = first] = [words[0], words.at(-1)]
    const mailbox =
      first === '' || this.chance(0.15)
        ? lettersOf(this.words(1)) || 'info'
        : this.pick([`${first}.${last}`, `${first.charAt(0)}${last}`, `${first.charAt(0)}.${last}`, first, last])
    return `${mailbox}@${this.host}.example`
  }

  phone(): string {
    return `+${this.number(1, 99)} ${this.number(10, 999)} 555 ${this.number(1000, 9999)}`
  }
}
