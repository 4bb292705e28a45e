import type { Features } from './decide.ts'
import { contextFeatures } from './features.ts'
import type { NumberInText } from './numbers.ts'
import { numbersIn, yearsIn } from './numbers.ts'
import type { SiteText, Span } from './site-text.ts'

/** A number on the site that may be the head count or the founding year. */
export interface NumberCandidate {
  value: number
  /** The range that the site states, such as `51-200`; the value is its upper end. */
  range?: string | undefined
  span: Span
  features: Features
}

const MAX_CANDIDATES = 400
const MAX_STAFF = 2_000_000
const MAX_TEXT = 2000

export function foundingCandidates(site: SiteText): NumberCandidate[] {
  return site.statements
    .flatMap((statement, at) =>
      statement.text.length > MAX_TEXT || /©|\(c\)|copyright/i.test(statement.text)
        ? []
        : yearsIn(statement.text, site.now).map(({ value, start, end }) => ({
            value,
            span: { statement, at, start, end },
          })),
    )
    .slice(0, MAX_CANDIDATES)
    .map((one) => ({
      ...one,
      features: withShapes(contextFeatures(site, one.span), `age ${ageOf(one.value, site.now)}`),
    }))
}

/** `addresses` contains the indices of the statements with an address, whose numbers are not head counts. */
export function staffCandidates(site: SiteText, addresses: ReadonlySet<number> = new Set()): NumberCandidate[] {
  return site.statements
    .flatMap((statement, at) =>
      statement.text.length > MAX_TEXT
        ? []
        : [
            ...numbersIn(statement.text, statement.language).map((one) => ({ ...one, range: undefined })),
            ...rangesIn(statement.text),
          ]
            .filter(({ value }) => value > 1 && value <= MAX_STAFF)
            .map(({ start, end, ...number }) => ({ ...number, span: { statement, at, start, end } })),
    )
    .slice(0, MAX_CANDIDATES)
    .map(({ value, span, isWord, range }) => ({
      value,
      range,
      span,
      features: withShapes(
        contextFeatures(site, span),
        `digits ${isWord ? 'in words' : String(value).length}`,
        ...(value >= 1900 && value <= 2100 ? ['year'] : []),
        ...(addresses.has(span.at) ? ['in an address'] : []),
      ),
    }))
}

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
