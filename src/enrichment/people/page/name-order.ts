import { hasGivenName } from './name-shape.ts'
import type { NameSpan } from './name-span.ts'

/** Minimum number of lines that put the family name first. */
const MIN_INVERTED = 3

/**
 * Keeps `Doe, Jane` as one name only if several lines in the same position have this form, with family names in
 * capitals or with known given names after the comma. Otherwise, the comma separates a name from other text.
 */
export function withOneOrder(spans: readonly NameSpan[]): NameSpan[] {
  const inverted = new Set<NameSpan>()
  for (const column of Map.groupBy(
    spans.filter(({ form }) => form === 'inverted'),
    ({ place }) => place,
  ).values()) {
    const share = (matches: (family: string, given: string) => boolean): number =>
      column.filter(({ text }) => matches(...(text.split(/\s*[,，]\s*/u) as [string, string]))).length / column.length
    const given = share((_, second) => hasGivenName(`${second} Roe`))
    const capitals = share(
      (first, second) => first === first.toLocaleUpperCase() && second !== second.toLocaleUpperCase(),
    )
    if (column.length >= MIN_INVERTED && (capitals > 0.6 || given > share((first) => hasGivenName(`${first} Roe`))))
      for (const span of column) inverted.add(span)
  }
  return spans.filter((span) =>
    span.form === 'inverted'
      ? inverted.has(span)
      : ![...inverted].some((one) => one.row === span.row && one.start <= span.start && span.end <= one.end),
  )
}

/** Minimum share of names in the same position that put the family name first, and maximum share that do not. */
const MOSTLY_INVERTED = 0.4
const RARELY_NATURAL = 0.15

/**
 * Puts the given name first in lists that put the family name first without a comma: `Virtanen Anna`. The given names of
 * the list must be known. Hungarian, Vietnamese and East Asian names keep their order.
 */
export function withGivenNameFirst(spans: NameSpan[]): NameSpan[] {
  const turned = new Set(
    [...Map.groupBy(spans.filter(isPlainPair), ({ place }) => place).values()].flatMap((column) => {
      const share = (at: number): number =>
        column.filter(({ text }) => hasGivenName(text.split(' ').at(at) as string)).length / column.length
      return column.length >= MIN_INVERTED && share(1) >= MOSTLY_INVERTED && share(0) <= RARELY_NATURAL ? column : []
    }),
  )
  return spans.map((span) => (turned.has(span) ? { ...span, text: span.text.split(' ').toReversed().join(' ') } : span))
}

/** Returns whether a name that starts its line or cell consists of two words in a script that may invert them. */
const isPlainPair = ({ text, form, start }: NameSpan): boolean =>
  form !== 'prose' &&
  form !== 'inverted' &&
  start === 0 &&
  /^\p{Lu}[\p{L}\p{M}'’-]+ \p{Lu}[\p{L}\p{M}'’-]+$/u.test(text) &&
  !FAMILY_FIRST.test(text)

/** Matches letters of languages that put the family name first. */
const FAMILY_FIRST = /[őűŐŰ\u1ea0-\u1ef9ơưƠƯ]|\p{Script=Han}|\p{Script=Hangul}/u
