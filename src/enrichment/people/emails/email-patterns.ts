import { foldAccents } from '../../../lib/fold-accents.ts'

/** The parts of a name that patterns combine. */
export interface NameForEmail {
  first_name: string | null
  middle_name?: string | null
  last_name: string | null
}

/** A pattern that companies use to form the local part from a name. `f`, `m` and `l` are initials. */
export type EmailPattern = (typeof PATTERNS)[number][0]

type Parts = { first: string; last: string; middle: string }

/**
 * Patterns and the share of company addresses that follow each pattern, measured on 2,479 pairs of names and addresses
 * in public filings. The shares add up to less than one, because a quarter of the addresses do not follow any of these
 * patterns.
 */
const PATTERNS = [
  ['flast', 0.226, ({ first, last }: Parts) => first.charAt(0) + last],
  ['first.last', 0.217, ({ first, last }: Parts) => `${first}.${last}`],
  ['first', 0.186, ({ first }: Parts) => first],
  ['fl', 0.032, ({ first, last }: Parts) => first.charAt(0) + last.charAt(0)],
  ['last', 0.025, ({ last }: Parts) => last],
  ['firstlast', 0.014, ({ first, last }: Parts) => first + last],
  ['f.last', 0.013, ({ first, last }: Parts) => `${first.charAt(0)}.${last}`],
  ['lastfirst', 0.007, ({ first, last }: Parts) => last + first],
  ['firstl', 0.006, ({ first, last }: Parts) => first + last.charAt(0)],
  [
    'fml',
    0.005,
    ({ first, middle, last }: Parts) => (middle ? first.charAt(0) + middle.charAt(0) + last.charAt(0) : ''),
  ],
  ['last.first', 0.005, ({ first, last }: Parts) => `${last}.${first}`],
  ['first_last', 0.004, ({ first, last }: Parts) => `${first}_${last}`],
  ['first-last', 0.003, ({ first, last }: Parts) => `${first}-${last}`],
  ['lastf', 0.003, ({ first, last }: Parts) => last + first.charAt(0)],
  ['fmlast', 0.003, ({ first, middle, last }: Parts) => (middle ? first.charAt(0) + middle.charAt(0) + last : '')],
  ['first.l', 0.002, ({ first, last }: Parts) => `${first}.${last.charAt(0)}`],
] as const satisfies [string, number, (parts: Parts) => string][]

/** Prior probability of each pattern. */
export const PATTERN_SHARES: ReadonlyMap<EmailPattern, number> = new Map(
  PATTERNS.map(([pattern, share]) => [pattern, share]),
)

/**
 * A company's spelling of multi-word names and umlauts: `joerg` or `jorg`, `annamaria` or `anna`, `vanderdoe`, `doe`,
 * `van` or `van-der-doe`.
 */
export interface Spelling {
  umlauts: 'two letters' | 'one letter'
  given: 'first' | 'joined'
  family: 'joined' | 'last' | 'first' | 'hyphenated'
}

/** The pattern that produced a local part, and the spelling of the name in the local part. */
export interface LocalPartMatch {
  pattern: EmailPattern
  spelling: Spelling
}

/**
 * Returns the local part that a pattern produces for a name; null if the name lacks a required part or is not in Latin
 * script. `spelling` contains the known parts of the company's spelling.
 */
export function localPart(pattern: EmailPattern, name: NameForEmail, spelling: Partial<Spelling> = {}): string | null {
  const known = Object.entries(spelling)
  const variants = variantsOf(name)
  const parts = variants.find((one) => known.every(([key, value]) => one.spelling[key as keyof Spelling] === value))
  const made = parts && PATTERNS.find(([each]) => each === pattern)?.[2](parts)
  return made ? made : null
}

/** Returns the local parts produced by all patterns for all spellings of a name. */
export function localPartsOf(name: NameForEmail): Map<string, LocalPartMatch> {
  const found = new Map<string, LocalPartMatch>()
  for (const parts of variantsOf(name))
    for (const [pattern, , make] of PATTERNS) {
      const local = make(parts)
      if (local.length > 1 && !found.has(local)) found.set(local, { pattern, spelling: parts.spelling })
    }
  return found
}

type Variant = Parts & { spelling: Spelling }

const UMLAUTS = ['two letters', 'one letter'] as const
const GIVEN = ['first', 'joined'] as const
const FAMILY = ['joined', 'last', 'first', 'hyphenated'] as const

/** Returns the ASCII spellings of a name, most likely first. */
function variantsOf({ first_name, middle_name, last_name }: NameForEmail): Variant[] {
  if (!first_name || !last_name) return []
  return UMLAUTS.flatMap((umlauts) => {
    const [firsts, lasts] = [asciiWords(first_name, umlauts), asciiWords(last_name, umlauts)]
    const middle = (asciiWords(middle_name ?? '', umlauts) ?? []).join('')
    if (!firsts || !lasts) return []
    return GIVEN.flatMap((given) =>
      FAMILY.map((family) => ({
        first: given === 'first' ? (firsts[0] as string) : firsts.join(''),
        last: familyIn(lasts, family),
        middle,
        spelling: { umlauts, given, family },
      })),
    )
  })
}

function familyIn(words: readonly string[], family: Spelling['family']): string {
  if (family === 'last') return words.at(-1) as string
  if (family === 'first') return words[0] as string
  return words.join(family === 'joined' ? '' : '-')
}

/** Returns the words of a name in ASCII letters; undefined if the name is not in Latin script. */
function asciiWords(name: string, umlauts: Spelling['umlauts']): string[] | undefined {
  const lower = name.toLowerCase().replaceAll('ß', 'ss').replaceAll('ø', 'o').replaceAll('ł', 'l').replaceAll('æ', 'ae')
  const written =
    umlauts === 'two letters' ? lower.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue') : lower
  const words = foldAccents(written)
    .replace(/[.'’]/g, '')
    .split(/[\s-]+/)
  return words.every((word) => /^[a-z]+$/.test(word)) ? words : undefined
}

/**
 * Returns the spelling that the examples support. An example is evidence of a setting's value only if no other value of
 * the setting produces the example's local part.
 */
export function spellingOf(examples: readonly { name: NameForEmail; local: string }[]): Partial<Spelling> {
  const votes = new Map<string, number>()
  for (const { name, local } of examples)
    for (const key of ['umlauts', 'given', 'family'] as const) {
      const fitting = fittingSpellings(name, local).map((spelling) => spelling[key])
      const differs = new Set(fitting).size === 1
      if (differs) votes.set(`${key}=${fitting[0]}`, (votes.get(`${key}=${fitting[0]}`) ?? 0) + 1)
    }
  const ranked = [...votes].toSorted((a, b) => a[1] - b[1]).map(([vote]) => vote.split('='))
  return Object.fromEntries(ranked) as Partial<Spelling>
}

/**
 * Returns all spellings with which a pattern produces the local part. Includes spellings that are identical for this
 * name.
 */
function fittingSpellings(name: NameForEmail, local: string): Spelling[] {
  const pattern = localPartsOf(name).get(local)?.pattern
  const make = PATTERNS.find(([each]) => each === pattern)?.[2]
  return make ? variantsOf(name).flatMap((parts) => (make(parts) === local ? [parts.spelling] : [])) : []
}
