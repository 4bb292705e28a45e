import type { Features } from './decide.ts'
import { contextFeatures } from './features.ts'
import type { NumberInText } from './numbers.ts'
import { numbersIn, yearsIn } from './numbers.ts'
import type { AddressCandidate } from './places.ts'
import type { SiteText, Span } from './site-text.ts'

/** A number on the site that may be the headcount or the founding year. */
export interface NumberCandidate {
  value: number
  /** The range stated on the site, such as `51-200`; `value` is its upper bound. */
  range?: string | undefined
  span: Span
  features: Features
}

const MAX_CANDIDATES = 400
/** Maximum number of numbers that are compared with the site's addresses. */
const MAX_NUMBERS = 4000
const MAX_STAFF = 2_000_000
const MAX_TEXT = 2000
const COPYRIGHT = /©|\(c\)|copyright/i

/** Finds years, except years in a period such as `1931–2014` or in one of the `addresses`. */
export function foundingCandidates(site: SiteText, addresses: readonly AddressCandidate[] = []): NumberCandidate[] {
  const years = site.statements
    .flatMap((statement, at) =>
      statement.text.length > MAX_TEXT || COPYRIGHT.test(statement.text)
        ? []
        : yearsIn(statement.text, site.now).map(({ value, start, end }) => ({
            value,
            span: { statement, at, start, end },
          })),
    )
    .slice(0, MAX_NUMBERS)
    .filter(({ span }) => !isInPeriod(span) && !isInAddress(span, addresses))
    .slice(0, MAX_CANDIDATES)
  const ages = agesOn(site)
  const copyright = new Set(
    site.statements.flatMap(({ text }) => [...text.matchAll(COPYRIGHT_SINCE)].map(([, year]) => Number(year))),
  )
  const ordered = [...new Set(years.map(({ value }) => value))].toSorted((a, b) => a - b)
  const described = years.map((one) => ({ ...one, features: contextFeatures(site, one.span) }))
  const told = described.filter(({ features: { shapes } }) => shapes.includes('prose') && isOfOwn(shapes))
  const earliest = Math.min(...told.map(({ value }) => value))
  const first = new Map(told.toReversed().map(({ value, span: { statement } }) => [statement.page, value]))
  return described.map((one) => ({
    ...one,
    features: withShapes(
      one.features,
      ...(told.includes(one) && one.value === earliest ? ['earliest told'] : []),
      ...(told.includes(one) && one.value === first.get(one.span.statement.page) ? ['first told on its page'] : []),
      `age ${ageOf(one.value, site.now)}`,
      ['earliest', 'second', 'later'][Math.min(ordered.indexOf(one.value), 2)] as string,
      ordered.length === 1 ? 'only year' : ordered.length < 4 ? 'few years' : 'many years',
      mentionsOf(years, one.value),
      ...(ages.has(site.now.getUTCFullYear() - one.value) ? ['age stated'] : []),
      ...(copyright.has(one.value) ? ['copyright since'] : []),
    ),
  }))
}

/** Returns whether a year's sentence may be about the company: it is outside parentheses, dates and quotations. */
const isOfOwn = (shapes: readonly string[]): boolean =>
  !['in parentheses', 'in a date', 'in a quotation', 'other organisation', 'above an attribution'].some((shape) =>
    shapes.includes(shape),
  )

const COPYRIGHT_SINCE = /(?:©|\(c\)|copyright)\D{0,12}((?:19|20)\d\d)\s?[–—-]/giu
/** Minimum age of a company whose stated age is evidence. Lower numbers mostly count other things. */
const MIN_AGE = 10

/** Returns the numbers on the site, which may include the company's age, and the numbers above them. */
const agesOn = ({ statements }: SiteText): Set<number> =>
  new Set(
    statements.flatMap(({ text, language }) =>
      text.length > MAX_TEXT
        ? []
        : numbersIn(text, language).flatMap(({ value }) => (value < MIN_AGE ? [] : [value, value + 1])),
    ),
  )

/** Returns how often and on how many pages the site states a value. */
function mentionsOf(all: readonly { value: number; span: Span }[], value: number): string {
  const own = all.filter((one) => one.value === value)
  const pages = new Set(own.map(({ span }) => span.statement.page))
  return own.length === 1 ? 'stated once' : pages.size > 1 ? 'stated on several pages' : 'stated twice'
}

/** Finds numbers and ranges that may be headcounts. Numbers in one of the `addresses` are excluded. */
export function staffCandidates(site: SiteText, addresses: readonly AddressCandidate[] = []): NumberCandidate[] {
  return site.statements
    .flatMap((statement, at) =>
      statement.text.length > MAX_TEXT || COPYRIGHT.test(statement.text)
        ? []
        : [
            ...numbersIn(statement.text, statement.language).map((one) => ({ ...one, range: undefined })),
            ...rangesIn(statement.text),
          ]
            .filter(
              ({ value, start, end }) => value > 1 && value <= MAX_STAFF && !isGrouped(statement.text, start, end),
            )
            .map(({ start, end, ...number }) => ({ ...number, span: { statement, at, start, end } })),
    )
    .slice(0, MAX_NUMBERS)
    .filter(({ span }) => !isInAddress(span, addresses))
    .slice(0, MAX_CANDIDATES)
    .map(({ value, span, isWord, range }, _, all) => ({
      value,
      range,
      span,
      features: withShapes(
        contextFeatures(site, span),
        `digits ${isWord ? 'in words' : String(value).length}`,
        mentionsOf(all, value),
        ...(value >= 1900 && value <= 2100 ? ['year'] : []),
      ),
    }))
}

const isInPeriod = ({ statement: { text }, start, end }: Span): boolean =>
  /\p{N}{4}\s?[–—-]\s?$/u.test(text.slice(0, start)) || /^\s?[–—-]\s?\p{N}{4}/u.test(text.slice(end))

/** Maximum number of address lines above the line that contains the city. */
const ADDRESS_LINES = 3

/** Returns whether a number is part of a street or postcode. */
const isInAddress = ({ statement, at, start, end }: Span, addresses: readonly AddressCandidate[]): boolean =>
  addresses.some(
    ({ address: { street = '', postal_code = '' }, mentions }) =>
      (mentions.includes(at) && isHouseNumber(statement.text, start, end)) ||
      (mentions.some((mention) => at <= mention && at >= mention - ADDRESS_LINES) &&
        [...street.split(', '), postal_code].some((part) => {
          const from = part === '' ? -1 : statement.text.toLowerCase().indexOf(part.toLowerCase())
          return from >= 0 && start >= from && end <= from + part.length
        })),
  )

/** Returns whether a number starts a part of an address, as in `2015 Mill Lane, Dayton`. */
const isHouseNumber = (text: string, start: number, end: number): boolean =>
  /(?:^|,)\s*$/u.test(text.slice(0, start)) && /^\s+\p{Lu}[\p{L}.]+\s/u.test(text.slice(end))

/** Returns whether a number is a group of digits in a longer number, such as a telephone number. */
const isGrouped = (text: string, start: number, end: number): boolean =>
  /\d[)\s.-]$/u.test(text.slice(0, start)) || /^[\s.-]\d{2}/u.test(text.slice(end))

function rangesIn(text: string): (NumberInText & { range: string })[] {
  return [...text.matchAll(/(?<![\p{N}.,/-])(\d{1,6})\s?[–—-]\s?(\d{1,6})(?![\p{N}]|[.,/-]\d)/gu)].flatMap(
    ({ 0: written, 1: low, 2: high, index }) =>
      Number(low) < Number(high) && Number(low) < 1900
        ? [
            {
              value: Number(high),
              start: index,
              end: index + written.length,
              isWord: false,
              range: `${Number(low)}-${Number(high)}`,
            },
          ]
        : [],
  )
}

const withShapes = ({ shapes, words }: Features, ...more: string[]): Features => ({
  shapes: [...shapes, ...more],
  words,
})

const ageOf = (year: number, now: Date): string => {
  const age = now.getUTCFullYear() - year
  return age <= 1 ? 'new' : age < 5 ? 'young' : age < 200 ? 'usual' : 'old'
}
