import { foldAccents } from '../../../lib/fold-accents.ts'
import { NOT_IN_NAMES } from '../../vocabulary/ordinary-words.ts'
import { classifySeniority } from '../titles/classify-seniority.ts'
import {
  CREDENTIALS,
  GIVEN_NAMES,
  HONORIFICS,
  HONORIFICS_ALSO_NAMES,
  PARTICLES,
  SHORT_NAMES,
  SUFFIXES,
} from './name-words.ts'
import { toReadableCase } from './readable-case.ts'
import { parseUnspacedName } from './unspaced-names.ts'

/** The parts of a name, spelled as published, except that names in capitals are converted to readable case. */
export interface ParsedName {
  /** First name, middle name, family name and suffix, in this order. Excludes honorifics and credentials. */
  full_name: string
  first_name: string | null
  middle_name: string | null
  last_name: string | null
  /** A generational suffix, such as `Jr.` or `III`. */
  suffix: string | null
  /** The name in quotation marks or parentheses: `Bob` in `Robert "Bob" Doe`. */
  nickname: string | null
  /** Credentials after the name, such as `CFA` or `CFP®`. */
  credentials: string[]
  raw: string
}

const bare = (token: string): string => token.toLowerCase().replace(/[®™©*†.,()]/g, '')
const isCredential = (token: string): boolean => {
  const plain = token.toLowerCase().replace(/[®™©*†,()]/g, '')
  return CREDENTIALS.has(plain) || CREDENTIALS.has(plain.replaceAll('.', ''))
}
const isSuffix = (token: string): boolean => SUFFIXES.has(bare(token))
/** The SEC's placeholder for a missing middle name. */
const isNoMiddleName = (token: string): boolean => /^\(?(nmn|nmi)\)?$/i.test(token)

/**
 * Splits a person's name into parts. Supports honorifics and credentials (`Dr Jane Doe-Smith, CFA`), the name order in
 * SEC filings and other lists that start with the family name (`DOE, JANE, ANN`), particles, nicknames, initials, East
 * Asian names and patronymics. A one-word name becomes the full name, without a first or last name. Returns null if the
 * text has only honorifics and credentials.
 */
export function parseName(raw: string): ParsedName | null {
  const { text, nickname } = takeNickname(
    raw
      .normalize('NFC')
      .replace(/[\s\u00a0\u200b\ufeff]+/g, ' ')
      .trim()
      .replace(HONORIFIC_PHRASE, '')
      .replace(RUN_ON_HONORIFIC, '$1 ')
      .replace(/\b(Ph|Ed|Psy|D|M|J|B|Pharm)\. (?=[A-Z]\.?(?:,|$))/g, '$1.'),
  )
  const credentials: string[] = []
  const suffixes: string[] = []
  const parts = text
    .split(/\s*,\s*/)
    .map((part, index, all) =>
      index > 0 && isLetters(part, all[0] as string)
        ? takeLetters(part, credentials)
        : stripEnds(part, index === 0 ? 2 : 1, credentials, suffixes),
    )
    .filter((part) => part.length > 0)
  if (parts.length === 0) return null
  const inverted = parts.length > 1
  const named = inverted ? splitInverted(parts) : splitNatural(parts[0] as string[])
  if (!named) return null
  const [first, middle, last] = [named.first, named.middle, named.last].map((tokens) =>
    tokens.length > 0 ? toReadableCase(tokens.join(' ')) : null,
  )
  const suffix = suffixes[0] === undefined ? null : toReadableCase(suffixes[0])
  const shown = named.familyFirst ? [last, first, middle] : [first, middle, last, suffix]
  return {
    full_name: shown.filter(Boolean).join(named.joiner ?? ' '),
    first_name: last === null ? null : (first ?? null),
    middle_name: middle ?? null,
    last_name: last ?? null,
    suffix,
    nickname,
    credentials,
    raw,
  }
}

interface NameParts {
  first: string[]
  middle: string[]
  last: string[]
  /** Whether the published full name starts with the family name. */
  familyFirst?: boolean
  /** Separator between the parts; empty for scripts without spaces. @default ' ' */
  joiner?: string
}

function takeNickname(text: string): { text: string; nickname: string | null } {
  const found = /[("“”'‘«]\s?(\p{Lu}[\p{L}.\- ]{0,20}?)\s?[)"“”'’»](?=\s|,|$)/u.exec(text)
  const inside = found?.[1]?.trim()
  if (!found || !inside || found.index === 0 || isCredential(inside) || !/\s/.test(text.charAt(found.index - 1)))
    return { text, nickname: null }
  return { text: `${text.slice(0, found.index).trim()}${text.slice(found.index + found[0].length)}`, nickname: inside }
}

/** Matches multi-word honorifics whose words are not honorifics individually. */
const HONORIFIC_PHRASE =
  /^(?:tan sri|toh puan|puan sri|(?:his|her) (?:excellency|honou?r|eminence)|(?:the )?right hon(?:ou?rable|\.)?)\s+(?=\p{L})/iu
/** Matches an honorific without a space after it: `Dr.Jane`. */
const RUN_ON_HONORIFIC = /^((?:dr|mr|mrs|ms|prof|hon|rev|eng|engr|adv|atty|er|sr|sra)\.)(?!in\b)(?=\p{Lu}\p{Ll})/iu

/**
 * Returns whether the text after a mixed-case name looks like an all-capitals credential, even if it is not listed
 * (`HMDC`, `(L)FACHE`).
 */
const isLetters = (part: string, name: string): boolean =>
  /\p{Ll}/u.test(name) &&
  classifySeniority(part) === null &&
  !/^(HR|IT|PR|QA|PA|UX|UI|AI|GM|PM)$/.test(part) &&
  /^\(?(?:[A-Z()][A-Za-z()]?[.-]?){1,4}[A-Z()®™.]{1,4}$/.test(part) &&
  !isSuffix(part)

function takeLetters(part: string, credentials: string[]): string[] {
  credentials.push(part)
  return []
}

/**
 * Returns the words in one comma-separated part, without leading honorifics or trailing suffixes and credentials. Adds
 * the removed words to the lists. `keep` is 2 for the part that contains the name, from which fewer words are removed,
 * and 1 for other parts.
 */
function stripEnds(part: string, keep: number, credentials: string[], suffixes: string[]): string[] {
  const tokens = part.split(' ').filter((token) => token !== '' && !isNoMiddleName(token))
  for (let more = false; tokens.length > 1 && isHonorific(tokens[0] as string, tokens.length, more); more = true)
    tokens.shift()
  tokens.splice(0, abbreviations(tokens))
  const letters = keep === 2 ? takeCapitals(tokens) : []
  while (tokens.length > 0) {
    const last = tokens.at(-1) as string
    if (isSuffix(last) && !(keep === 2 && tokens.length === 1)) suffixes.unshift(last)
    // `MA` and `ED` may be names. Without a comma before it, a credential must therefore be in capitals and follow two
    // words.
    else if (isCredential(last) && looksLikeLetters(last) && (keep === 1 || tokens.length > 2)) letters.unshift(last)
    else break
    tokens.pop()
  }
  credentials.push(...letters)
  return tokens
}

/**
 * Removes the credentials in `Jane Doe RN RODP`. After a mixed-case name, consecutive words in capitals are credentials
 * if at least one of them is listed, and words in the form of credentials are credentials even if none is listed.
 */
function takeCapitals(tokens: string[]): string[] {
  const first = Math.max(
    2,
    tokens.findLastIndex((one) => !/^[A-Z][A-Z.®™-]+$/.test(one) && !hasCredentialForm(one)) + 1,
  )
  if (first >= tokens.length || !/\p{Ll}/u.test(tokens.slice(0, first).join(' '))) return []
  const letters = tokens.slice(first)
  return letters.every(hasCredentialForm) || (letters.length > 1 && letters.some((one) => isCredential(one)))
    ? tokens.splice(first)
    : []
}

/**
 * Returns whether a word has a form that credentials have and family names do not: capitals without a vowel (`RVN`),
 * several capitals at the start or end of a mixed-case word (`BVSc`, `CertSAM`, `BVM&S`), or three capitals in it
 * (`BVetMed`). Titles (`SVP`), legal forms (`LLC`) and names such as `IJken` and `LaRue` are excluded.
 */
const hasCredentialForm = (token: string): boolean =>
  !NOT_IN_NAMES.has(token.toLowerCase()) &&
  classifySeniority(token) === null &&
  /^(?!(?:De|Di|Du|Fitz|La|Le|Mac|Mc|Van|Von)[A-Z]|IJ[a-z])(?:(?:[A-Z][a-z]*){2}[A-Z][a-z]+|[BCDFGHJ-NP-TV-XZ]{3,6}|[A-Z]{2,4}[a-z]{1,4}|[A-Z][a-z]{1,5}[A-Z]{2,5}|[A-Z]{2,4}&[A-Z]{1,3})[®™]?$/.test(
    token,
  )

const looksLikeLetters = (token: string): boolean => /[A-Z].*[A-Z®™]|^Esq/.test(token) && !/^[A-Z]\.?$/.test(token)

/**
 * Returns the number of words up to the last degree abbreviation that is followed by at least two other words, such as
 * `Univ.-Prof.`. Initials and short given names do not count as degree abbreviations.
 */
function abbreviations(tokens: readonly string[]): number {
  const last = tokens
    .slice(0, -2)
    .findLastIndex((token) => /^\p{L}{2,}[\p{L}.-]*\.\p{Ll}{0,4}$/u.test(token) && !SHORT_NAMES.has(bare(token)))
  return tokens
    .slice(0, last + 1)
    .some((token) => HONORIFICS.has(bare(token.split('.')[0] ?? '')) || /^\p{Ll}/u.test(token))
    ? last + 1
    : 0
}

/**
 * Returns whether the first remaining word is an honorific. `length` is the number of remaining words, including this
 * word. `more` is true if the word follows another honorific.
 */
function isHonorific(token: string, length: number, more: boolean): boolean {
  const plain = token.toLowerCase().replace(/[.ªº]/g, '')
  // An abbreviation before at least two words is an honorific, even if it is not listed: `Ptr.`, `Licda.`.
  if (length > 2 && /^\p{Lu}\p{Ll}{1,5}\.$/u.test(token) && !SHORT_NAMES.has(plain)) return true
  if (length > 2 && QUALIFICATION.test(token)) return true
  if (plain === 'm' || !HONORIFICS.has(plain)) return false
  // A single letter is an honorific only with a dot or an ordinal mark: `د. رنا قعوار`, `D.ª Jane Doe`.
  if (plain.length === 1) return /[.ªº]$/u.test(token)
  if (HONORIFICS_ALSO_NAMES.has(plain)) return more || /\p{L}{2}\.$/u.test(token) || (plain === 'don' && length > 2)
  // `Chief` must precede exactly two words, because `Chief Operating Officer` is a title.
  return plain !== 'chief' || length === 3
}

/** Matches the professional qualifications that precede names in India: `CA Jane Doe`, `CS John Roe`. */
const QUALIFICATION = /^(?:CA|CS|CMA|CPA|FCA)$/

function splitNatural(tokens: string[]): NameParts | null {
  const unspaced = parseUnspacedName(tokens)
  if (unspaced) return unspaced
  if (tokens.length === 1) return { first: tokens, middle: [], last: [] }
  if (/(вич|вна|ична)$/u.test(tokens.at(-1) as string) && tokens.length === 3)
    return {
      first: [tokens[1] as string],
      middle: [tokens[2] as string],
      last: [tokens[0] as string],
      familyFirst: true,
    }
  // A family name in capitals may precede mixed-case given names: `MÜLLER Anna`. If the first given name is not listed,
  // the full name keeps this order: `TAN Boon Hock`.
  if (
    /^\p{Lu}{3,}(-\p{Lu}+)?$/u.test(tokens[0] as string) &&
    (!isGiven(tokens[0] as string) || isGiven(tokens[1] as string)) &&
    tokens.slice(1).every((token) => /^\p{Lu}\p{Ll}/u.test(token))
  )
    return {
      first: [tokens[1] as string],
      middle: tokens.slice(2),
      last: [tokens[0] as string],
      familyFirst: !isGiven(tokens[1] as string),
    }
  let start = tokens.length - 1
  while (start > 1 && PARTICLES.has((tokens[start - 1] as string).toLowerCase())) start--
  const particle = tokens.findIndex((token, index) => index > 0 && index < start && isLowerParticle(token))
  if (particle > 0) start = particle
  return { first: [tokens[0] as string], middle: tokens.slice(1, start), last: tokens.slice(start) }
}

const isGiven = (token: string): boolean => GIVEN_NAMES.has(foldAccents(token).toLowerCase())

/**
 * A lower-case particle starts the family name (`Maria de Souza Lima`), but a capitalized `De` may be a middle name.
 */
const isLowerParticle = (token: string): boolean => PARTICLES.has(token) && token.length > 1

function splitInverted([last = [], ...given]: string[][]): NameParts | null {
  const tokens = given.flat()
  if (tokens.length === 0) return null
  return { first: tokens.slice(0, 1), middle: tokens.slice(1), last }
}
