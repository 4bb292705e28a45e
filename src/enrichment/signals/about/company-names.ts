import { foldAccents } from '../../../lib/fold-accents.ts'
import { isEnglishWord } from '../../vocabulary/ordinary-words.ts'
import { readWordSet } from '../../vocabulary/read-words.ts'
import { readSymbols } from '../text/symbols.ts'
import { tokenize } from '../text/tokens.ts'

/** What the company is known by. */
export interface CompanyIdentity {
  /** Registrable domain. */
  domain: string
  /** The name, the legal name and other names. */
  names: readonly string[]
  /** Headquarters locations, which distinguish the company from others with the same name. */
  places?: readonly string[]
}

/** A spelling of the company's name. */
export interface NameVariant {
  /** The words in lower case, without `and` or `&`. */
  words: string[]
  /**
   * Specificity of the name. `full`: the whole name, with several words, at least one of them rare. `distinct`: the
   * whole name, with one rare word. `short`: a part of the name, or a name that contains only common words; accepted
   * only next to an event word. `common`: one common word, or a description; accepted only with corroborating evidence.
   */
  weight: 'full' | 'distinct' | 'short' | 'common'
  /** Whether the name contains a comma: `Ridley, Cho & Partners`. */
  listed?: boolean
  /** Whether the company writes its name in lower case: `ispace`. */
  lower?: boolean
}

/** Legal form words, in lower case without dots. */
const LEGAL = readWordSet('companies/legal-form-words')
/** Words that describe a company, such as `capital` and `bank`. */
export const DESCRIPTORS = readWordSet('companies/descriptors')
/** Descriptors that occur in thousands of company names. */
const VAGUE = readWordSet('companies/vague-descriptors')
/** Names shared by hundreds of companies. */
const POPULAR = readWordSet('companies/popular-names')
/** Names that refer to one well-known company, although some of them are also dictionary words. */
const WELL_KNOWN = readWordSet('companies/well-known-names')

/** Matches the domain suffix of a name such as `Larchwood.com`. */
export const DOMAIN_SUFFIX = /(?<=\w)\.(?:com|io|ai|co|net|org)\b/giu

/** Splits a name into words in lower case. Removes accents, punctuation, `and` and domain suffixes. */
export function nameWords(name: string): string[] {
  return tokenize(name.replace(DOMAIN_SUFFIX, ''))
    .map((token) => foldAccents(token.key))
    .filter((word) => word !== '?' && word !== '!' && word !== 'and')
}

/**
 * Returns the spellings of the names as they appear in headlines, longest first: the name without its legal form,
 * without trailing descriptors, and reduced to its first one or two words if the first word is rare.
 */
export function nameVariants(names: readonly string[]): NameVariant[] {
  const variants = new Map<string, NameVariant>()
  const add = (words: string[], whole: boolean, spelling: Pick<NameVariant, 'listed' | 'lower'> = {}) => {
    const key = words.join(' ')
    if (words.length > 0 && !variants.has(key))
      variants.set(key, { words, weight: weightOf(words, whole), ...spelling })
  }
  for (const name of names) {
    const words = nameWords(name)
    while (words.length > 1 && LEGAL.has(words.at(-1) as string)) words.pop()
    if (words.length > 1 && words[0] === 'the') words.shift()
    add(words, true, {
      ...(/,.+(?:&|\band\b)/iu.test(name) && { listed: true }),
      ...(/^\p{Ll}/u.test(name) && !isEnglishWord(words[0] ?? '', 50) && { lower: true }),
    })
    if (words.length > 2 && isRareWord(words[0] as string)) add(words.slice(0, 2), false)
    const short = [...words]
    while (short.length > 1 && DESCRIPTORS.has(short.at(-1) as string)) {
      short.pop()
      add([...short], false)
    }
    const [first] = words
    // In `Kessel & Vane`, each word is a family name, so a single word does not identify the firm.
    if (first !== undefined && words.length > 1 && isRareWord(first) && !/&|\band\b/iu.test(name)) add([first], false)
  }
  return [...variants.values()].toSorted((a, b) => b.words.length - a.words.length)
}

function weightOf(words: string[], whole: boolean): NameVariant['weight'] {
  const distinctive = words.filter((word) => !DESCRIPTORS.has(word))
  if (words.length === 1) {
    const [word = ''] = words
    if (whole && WELL_KNOWN.has(word)) return 'distinct'
    if (!isRareWord(word) || isEnglishWord(word, 50)) return 'common'
    return whole ? 'distinct' : 'short'
  }
  // A three-letter word is usually an abbreviation, so it is accepted as a match only together with another word.
  const rare = distinctive.some((word) => isRareWord(word, 3))
  if (rare) return whole ? 'full' : 'short'
  if (distinctive.length >= 2) return whole ? (words.length >= 3 ? 'full' : 'short') : 'common'
  // Fewer companies share both words of `Summit Therapeutics` than of `Summit Financial`.
  return whole && words.some((word) => DESCRIPTORS.has(word) && !VAGUE.has(word)) ? 'short' : 'common'
}

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Returns whether the word is rare, that is, not a short word, an everyday or headline word, a place, a given name or a
 * popular company name.
 */
export function isRareWord(word: string, shortest = 4): boolean {
  if (/^\p{L}+\d|^\d+\p{L}{2}/u.test(word)) return true
  if (word.length < shortest || /^\d+$/u.test(word) || POPULAR.has(word) || POPULAR.has(word.replace(/s$/u, '')))
    return false
  if (isEnglishWord(word, 20)) return false
  const { symbols } = readSymbols([{ key: word, capital: true, acronym: false }], NOTHING)
  return symbols[0] === 'ENT'
}

/** Returns whether the word is a legal form, such as `Inc`, `GmbH` or `S.A.` */
export function isLegalForm(word: string): boolean {
  return LEGAL.has(word.replaceAll('.', ''))
}
