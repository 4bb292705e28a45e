import { foldAccents } from '../../../lib/fold-accents.ts'
import { BRAND_WORDS, NOT_IN_NAMES } from '../../vocabulary/ordinary-words.ts'
import { readPattern } from '../../vocabulary/read-words.ts'
import { classifyText } from '../models/classify-text.ts'
import { classifySeniority, hasSureRole } from '../titles/classify-seniority.ts'
import { COMPOUND_FAMILY_NAMES, CREDENTIALS, GIVEN_NAMES, HONORIFICS, PARTICLES } from './name-words.ts'
import { parseName } from './parse-name.ts'
import { isAllCaps } from './readable-case.ts'

const TOKEN =
  /^(?:(?:de|di|da|du|la|le|van|von|al-?|el-?|d['’]|l['’]|dell['’]|dall['’]|o['’])(?=\p{Lu}))?\p{Lu}[\p{L}\p{M}'’.-]*$/u
const UNSPACED = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー・·\s]+$/u

/** Matches scripts with spaces but no letter case, in which capitalization cannot identify a name. */
const CASELESS =
  /^[\p{M}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thai}\p{Script=Armenian}\p{Script=Georgian}\s.'’״׳-]+$/u

const COMPASS = new Set(['north', 'south', 'east', 'west', 'central', 'northern', 'southern', 'eastern', 'western'])
/** Returns whether a word is a plural role noun, as in `Zonal Coordinators` and `Lead Architects`. */
const isPluralRole = (token: string): boolean =>
  token.length > 6 && token.endsWith('s') && hasSureRole(token.slice(0, -1))

const fold = (token: string): string => foldAccents(token).toLowerCase()

/**
 * Returns the likelihood, 0 to 1, that a text is a person's name. Uses only the text's letters, length and words. Two
 * unknown capitalized words score about 0.6, so the surrounding content decides.
 */
export function scoreName(text: string): number {
  if (
    text.length < 2 ||
    text.length > 70 ||
    /[\d@/\\|?!:;=<>{}[\]_#$%^~+&]|\.\.|\bwww\b/.test(text.replace(/&amp;/g, '&'))
  )
    return 0
  if (UNSPACED.test(text)) return scoreUnspaced(text)
  if (CASELESS.test(text)) return scoreCaseless(text)
  // `Jane Doe (Partner)` is a name and a title, but `Jane Doe (Janie)` is only a name.
  const bracketed = /\(([^()]+)\)\s*$/.exec(text)?.[1]
  if (bracketed && !isNickname(bracketed)) return 0
  const honorific = startsWithHonorific(text)
  const name = parseName(text)
  if (!name?.first_name || !name.last_name) return 0
  const tokens = `${name.first_name} ${name.middle_name ?? ''} ${name.last_name}`.split(/\s+/).filter(Boolean)
  if (tokens.length < 2 || tokens.length > 6) return 0
  // `GARCIA LOPEZ, MARIA` starts with the family name, but `Jane Doe, Zurich` does not.
  const inverted = /,/.test(text) && text.indexOf(name.last_name) < text.indexOf(',')
  if (inverted && statesOffice(name.last_name)) return 0
  if (inverted && !isAllCaps(text) && name.last_name.split(' ').filter((token) => !PARTICLES.has(token)).length > 1)
    return 0
  const capitalised = tokens.filter((token) => !PARTICLES.has(token))
  if (capitalised.length < 2 || !capitalised.every(isNameToken)) return 0
  const folded = capitalised.map((token) => fold(token).replace(/\./g, ''))
  if (honorific && statesOffice(folded.join(' '))) return 0
  if (folded.filter(isOrdinary).length > (mayHoldOrdinary(folded, honorific) ? 1 : 0)) return 0
  if (folded.some((token) => ORDINARY_ENDING.test(token) && token !== 'sessions')) return 0
  if (folded.every((token) => COMPASS.has(token)) || folded.some(isPluralRole)) return 0
  // Reject text with only initials and degrees, such as `B.E., M.Tech.`
  if (capitalised.every((token) => token.includes('.') || isSingleLetter(token))) return 0
  return weigh(text, folded, tokens.length, honorific || name.credentials.length > 0)
}

/** Matches endings of nouns and adjectives that are rare in names: `Estimation`, `Liability`, `Topographical`. */
const ORDINARY_ENDING =
  /(?:[bcdfgprtvz]ations?|[tc]tions?|[^a]ssions?|[aiv]bility|ivity|ality|ology|ological|[a-z]{3}ional|[a-z]{3}ization)$/

const isOrdinary = (token: string): boolean =>
  !isSingleLetter(token) && (NOT_IN_NAMES.has(token) || token.split('-').every((word) => NOT_IN_NAMES.has(word)))

/** Returns whether text in parentheses is a nickname: `(Janie)`, but not `(Partner)`, `(Visual Arts)` or `(French)`. */
const isNickname = (text: string): boolean =>
  isNameToken(text) && !statesOffice(text) && GIVEN_NAMES.has(fold(text)) && !NOT_IN_NAMES.has(fold(text))

/**
 * Returns whether an honorific (`Dr Jane More`) or a middle initial (`James L Go`) indicates that an ordinary word is a
 * family name.
 */
function mayHoldOrdinary(folded: string[], honorific: boolean): boolean {
  if (isOrdinary(folded[0] as string)) return false
  return honorific || (folded.length === 3 && isSingleLetter(folded[1] as string))
}

/** Scores words by their letters if they contain no known given name. */
function unknownScore(text: string): number {
  const { name, title } = classifyText(text)
  if (title > Math.max(0.3, name) || name < 0.05) return 0.4
  return name >= 0.8 ? 0.8 : name >= 0.6 ? 0.7 : 0.6
}

function weigh(text: string, folded: string[], length: number, decorated: boolean): number {
  const known = folded.slice(0, 2).some((token) => token.split('-').some((part) => GIVEN_NAMES.has(part)))
  // `Directora Financiera` has the form of a name, so titles are rejected first.
  if (!known && !decorated && statesOffice(folded.join(' '))) return 0
  const soft = folded.filter((token) => BRAND_WORDS.has(token)).length
  let score = known ? 0.92 : unknownScore(text)
  if (decorated) score += 0.2
  if (folded.slice(1, -1).some(isSingleLetter) || /\b\p{Lu}\. \p{Lu}/u.test(text)) score += 0.15
  if (soft > 0 && !known) score -= soft === folded.length ? 0.4 : 0.15
  if (length > 4) score -= 0.15
  if (text === text.toUpperCase() && !known) score -= 0.1
  return Math.min(1, Math.max(0, score))
}

/** Returns whether the words are a job title. */
function statesOffice(text: string): boolean {
  const seniority = classifySeniority(text)
  return seniority !== null && (seniority !== 'staff' || hasSureRole(text))
}

function isNameToken(token: string): boolean {
  if (!TOKEN.test(token)) return false
  const bare = token.replace(/\./g, '')
  if (CREDENTIALS.has(bare.toLowerCase()) && bare.length > 2 && /^[A-Z]+$/.test(bare)) return false
  // `JaneDoe` and `DoeCEO` lack a space, but `McDoe`, `DeMarco`, `LaRue`, `VanDyke` and `O'Doe` are valid names.
  return !/\p{Ll}\p{Lu}/u.test(
    token
      .replace(/^([Mm]c|[Mm]ac|[Dd]e|[Dd]i|[Dd]a|[Dd]u|[Ll]a|[Ll]e|[Vv]an|[Vv]on|Fitz|O['’]|D['’]|L['’])/u, '')
      .replace(/[-'’]\p{Lu}/gu, ''),
  )
}

function startsWithHonorific(text: string): boolean {
  const [, first = '', rest = ''] = /^([\p{L}ªº]+\.?[ªº]?)\s?(.*)$/u.exec(text) ?? []
  return (
    rest !== '' &&
    first.length > 1 &&
    HONORIFICS.has(first.toLowerCase().replace(/[.ªº]/g, '')) &&
    /\.[ªº]?$|^(Herr|Frau|Sir|Dame|Lord|Lady|Datuk|Dato)$/.test(first)
  )
}

const isSingleLetter = (token: string): boolean => token.length === 1

const UNSPACED_WORDS = readPattern('names/not-in-unspaced-names')

const isCompound = (text: string): boolean => COMPOUND_FAMILY_NAMES.has([...text].slice(0, 2).join(''))

function scoreUnspaced(text: string): number {
  const plain = text.replace(/\s/g, '')
  if (UNSPACED_WORDS.test(text)) return 0
  if (/^\p{Script=Hangul}{3}$/u.test(plain) || (/^\p{Script=Hangul}{4}$/u.test(plain) && isCompound(plain))) return 0.7
  if (/^\p{Script=Han}{1,3}\s\p{Script=Han}{1,3}$/u.test(text.trim())) return 0.8
  if (/^\p{Script=Han}{2,4}$/u.test(plain) || /^\p{Script=Han}{1,4}[·・]\p{Script=Han}{1,6}$/u.test(plain)) return 0.6
  if (/^\p{Script=Han}{1,3}\s[\p{Script=Hiragana}\p{Script=Katakana}ー]{1,5}$/u.test(text)) return 0.75
  return /^[\p{Script=Katakana}ー]{2,12}[・·\s][\p{Script=Katakana}ー・]{2,20}$/u.test(text) ? 0.7 : 0
}

function scoreCaseless(text: string): number {
  const words = text.split(/\s+/)
  if (words.length < 2 || words.length > 4 || words.some((word) => word.length < 2 || word.length > 14)) return 0
  return statesOffice(text) || CASELESS_WORDS.test(text) ? 0 : 0.55
}

/** Matches words from headings, menus and titles, such as "team", "about" or "manager". */
const CASELESS_WORDS = readPattern('names/not-in-caseless-names')
