import { parsePhoneNumber } from 'awesome-phonenumber'
import { readPattern } from '../../vocabulary/read-words.ts'
import type { Features } from './decide.ts'
import { decode } from './decode.ts'
import { grams, lettersOf, spreadOf, subjectOf } from './features.ts'
import type { SiteText } from './site-text.ts'
import { isOwnName, othersIn } from './site-text.ts'
import type { Statement } from './statements.ts'

/** A telephone number and all its mentions on the site. */
export interface PhoneCandidate {
  /** E.164. */
  number: string
  statement: Statement
  features: Features
}

/** Matches text that may be a telephone number. */
const NUMBER =
  /(?<![\p{Lu}\p{Ll}\p{N}.,/-])(?:\+|00)?\(?\+?\d(?:(?!\.\s)[\d\s ()./–-]){5,20}\d(?![\p{N}]|\s?[,/:-]?\d|\.\d)/gu
/** Matches the ending of a second number, as in `040 555 0180 / 81`. */
const OTHER_ENDING = /^((?:\D*\d){7,}\D*?)\s?\/\s?\d{1,3}$/u
const MAX_CANDIDATES = 150
/** Maximum distance, in lines, between an address and a number that belongs to it. */
const NEAR = 3

/**
 * Finds telephone numbers in text and `tel:` links. `country` is used for numbers without a country code, and `address`
 * contains the indices of the statements that contain the company's address.
 */
export function phoneCandidates(
  site: SiteText,
  country: string | undefined,
  address: readonly number[],
): PhoneCandidate[] {
  const links = new Map<string, Set<number>>()
  site.pages.forEach(({ $ }, page) => {
    for (const link of $('a[href^="tel:" i]').slice(0, 30).toArray()) {
      const parsed = parse(decode($(link).attr('href') ?? '').replace(/^tel:/i, ''), country)
      if (parsed) links.set(parsed.number, (links.get(parsed.number) ?? new Set()).add(page))
    }
  })
  const seen = new Map<
    string,
    { statement: Statement; at: number; before: string; written: string; isValid: boolean; isForeign: boolean }[]
  >()
  let count = 0
  for (const [at, statement] of site.statements.entries()) {
    if (statement.text.length > 1500) continue
    for (const { 0: written, index } of statement.text.matchAll(NUMBER)) {
      if (++count > MAX_CANDIDATES) break
      const digits = written.replace(/\D/gu, '').length
      const isDate =
        /^(?:[12]\d{3}|\d{1,2})[./-]\d{1,2}[./-](?:\d{4}|\d{2})$|^(?:19|20)\d\d\s?[–-]\s?(?:19|20)?\d\d$|^\d{1,3}(?:[., ]000)+$/u.test(
          written,
        )
      if (digits < 7 || digits > 15 || isDate || isRegistration(statement, index, written)) continue
      const parsed = parse(written.replace(OTHER_ENDING, '$1'), country)
      if (!parsed) continue
      const mention = {
        statement,
        at,
        before: statement.text.slice(0, index),
        written,
        isValid: parsed.isValid,
        isForeign: parsed.country !== country,
      }
      seen.set(parsed.number, [...(seen.get(parsed.number) ?? []), mention])
    }
  }
  for (const [number, pages] of links) {
    if (seen.has(number)) continue
    // The link text may be a number in national format, which cannot be parsed without a country.
    const at = site.statements.findIndex(
      ({ page, text }) => pages.has(page) && text.replace(/\D/gu, '').includes(number.slice(-6)),
    )
    const statement = site.statements[at]
    if (statement)
      seen.set(number, [
        {
          statement,
          at,
          before: statement.text.split(/\+?\(?\d/u)[0] ?? '',
          written: number,
          isValid: true,
          isForeign: false,
        },
      ])
  }
  const order = [...seen.keys()]
  return order.map((number, place) => {
    const all = seen.get(number) ?? []
    const pages = new Set(all.map(({ statement }) => statement.page))
    const [first] = all as [(typeof all)[number]]
    const linked = links.get(number)
    const near = all.slice(0, 8).map((mention) => mentionFeatures(site, mention))
    return {
      number,
      statement: first.statement,
      features: {
        words: near.flatMap(({ words }) => words),
        shapes: [
          linked ? 'link' : 'no link',
          ...(linked && links.size === 1 ? ['only link'] : []),
          first.isValid ? 'valid' : 'possible',
          first.isForeign ? 'abroad' : 'at home',
          place === 0 ? 'first' : place === 1 ? 'second' : 'later',
          order.length === 1 ? 'only number' : 'one of several',
          spreadOf(site, pages),
          ...(site.names.size === 0 ? ['unnamed site'] : []),
          ...(pages.has(0) ? ['home'] : []),
          ...(all.some(({ at, statement: { page } }) =>
            address.some((place) => Math.abs(at - place) <= NEAR && site.statements[place]?.page === page),
          )
            ? ['beside the address']
            : address.length > 0
              ? ['apart from the address']
              : []),
          ...(all.some(({ statement: { page, block } }) =>
            address.some((place) => site.statements[place]?.page === page && site.statements[place]?.block === block),
          )
            ? ['in the block of the address']
            : []),
          ...near.flatMap(({ shapes }) => shapes),
        ],
      },
    }
  })
}

function mentionFeatures(
  site: SiteText,
  { statement, at, before, written }: { statement: Statement; at: number; before: string; written: string },
): Features {
  // Text after another number belongs to that number, as in `Tel. 1 23 45 67, Fax 1 23 45 68`.
  const since = before.split(/\d[\d\s()./-]{5,}\d/u).at(-1) ?? ''
  const sentence = since.split(/[.!?]\s+(?=\p{Lu})/u).at(-1) ?? ''
  const words = lettersOf(sentence)
  const above = aboveInBlock(site, at, statement)
  const label = lettersOf(statement.label)
  const names = [...sentence.matchAll(/\p{Lu}[\p{L}&'’.-]+(?:\s+\p{Lu}[\p{L}&'’.-]+)+/gu)].map(([run]) => run)
  const nearby = `${above.join(' ')} ${sentence}`
  const near = [
    ...grams('B', words.slice(-3).toReversed()),
    ...grams('K', label.slice(0, 4)),
    ...above.slice(-1).flatMap((line) => grams('A', lettersOf(line).slice(0, 3))),
  ]
  const shapes = [
    `area ${statement.area}`,
    ...(isOwnName(site, nearby) ? ['own name near'] : []),
    ...(othersIn(site, nearby).length > 0 || othersIn(site, statement.label).length > 0
      ? ['other organisation near']
      : []),
    ...(names.some((name) => !isOwnName(site, name)) ? ['foreign name before'] : []),
    `words ${Math.min(words.length, 6)}`,
    `subject ${subjectOf(site, before)}`,
    ...(/\([^)]*$/u.test(before) ? ['in parentheses'] : []),
    ...(above.some((line) => /\d/u.test(line)) ? ['below digits'] : []),
    ...(/\d[\d\s()./-]{6,}\d/u.test(before) ? ['after a number'] : []),
    ...labelShapes(words.slice(-3), label, above.slice(-1)),
    `written ${formOf(written)}`,
  ]
  return { shapes, words: near }
}

const LABELS = ['telephone', 'fax', 'registration'] as const
const PATTERNS = new Map(LABELS.map((label) => [label, readPattern(`facts/${label}`, { flags: 'iu' })]))

/** Returns whether the word before a number, or its label, marks it as a registration number, such as `no.` and `P. IVA`. */
function isRegistration({ text, label }: Statement, index: number, written: string): boolean {
  if (!/^\d+$|\d\/\d/u.test(written.trim())) return false
  const words = lettersOf(text.slice(Math.max(0, index - 40), index)).slice(-3)
  const near = words.length > 0 ? words.join(' ') : label
  return PATTERNS.get('registration')?.test(near) === true && PATTERNS.get('telephone')?.test(near) !== true
}

/** Returns what a number is according to the words before it, its label, and the line above it. */
function labelShapes(before: readonly string[], label: readonly string[], above: readonly string[]): string[] {
  const places: [string, string][] = [
    ['next', before.at(-1) ?? ''],
    ['before', before.join(' ')],
    ['label', label.join(' ')],
    ['above', above.join(' ')],
  ]
  return places.flatMap(([place, text]) =>
    LABELS.filter((one) => PATTERNS.get(one)?.test(text)).map((one) => `${one} ${place}`),
  )
}

/** Returns how a number is written: its start, and whether its digits are separated. */
function formOf(written: string): string {
  const start = /^(?:\+|00|\(|0|\d)/u.exec(written)?.[0] ?? ''
  const groups = written.match(/\d+/gu)?.length ?? 0
  return `${/^[1-9]/u.test(start) ? 'digit' : start} ${Math.min(groups, 4)} ${/\//u.test(written) ? 'slash' : ''}`
}

/** Returns up to five preceding lines in the same paragraph, cell or record. */
function aboveInBlock(site: SiteText, at: number, { block, page }: Statement): string[] {
  const lines: string[] = []
  for (let above = at - 1; above >= 0 && lines.length < 5; above--) {
    const statement = site.statements[above] as Statement
    if (statement.page !== page || statement.block !== block) break
    lines.unshift(`${statement.label} ${statement.text}`)
  }
  return lines
}

function parse(
  text: string,
  country: string | undefined,
): { number: string; country: string | undefined; isValid: boolean } | undefined {
  const plain = text
    .replace(/\(0\)/, '')
    .replace(/^00(?=\d)/, '+')
    .replace(/[–/ ]/gu, ' ')
    .replace(/^\(\+/, '+')
    .trim()
  const nation = country ?? (/^(?:1[ .-]?)?\(?[2-9]\d{2}\)?[ .-]{1,3}\d{3}[ .-]\d{4}$/.test(plain) ? 'US' : undefined)
  const parsed = parsePhoneNumber(plain, nation ? { regionCode: nation } : {})
  // Fictitious numbers and newly assigned ranges pass the length check (`possible`) but not the full check (`valid`).
  if (parsed.number === undefined) return undefined
  // International numbers may be longer or shorter than the library's plan of the country allows.
  if (!parsed.possible && !/^\+(?:\D*\d){9,15}$/u.test(plain)) return undefined
  return {
    number: parsed.number.e164,
    country: parsed.regionCode ?? (parsed.valid ? undefined : country),
    isValid: parsed.valid,
  }
}
