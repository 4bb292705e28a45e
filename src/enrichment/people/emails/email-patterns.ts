import { foldAccents } from '../../../lib/fold-accents.ts'

/** The parts of a name that patterns use. */
export interface NameForEmail {
  first_name: string | null
  middle_name?: string | null
  last_name: string | null
}

/** How companies form the local part from a name. `f`, `m` and `l` are initials. */
export type EmailPattern = (typeof PATTERNS)[number][0]

type Parts = { first: string; last: string; middle: string }

/**
 * Patterns and their share among people whose address is at the company's domain, measured on 2,479 pairs of name and
 * address in public filings. A fifth of the addresses follow none, so the shares do not add up to one.
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

/** The prior probability of each pattern. */
export const PATTERN_SHARES: ReadonlyMap<EmailPattern, number> = new Map(
  PATTERNS.map(([pattern, share]) => [pattern, share]),
)

/** The local part that a pattern produces for a name; null when the name lacks a part or is not in Latin letters. */
export function localPart(pattern: EmailPattern, name: NameForEmail): string | null {
  const [parts] = variantsOf(name)
  const made = parts && PATTERNS.find(([known]) => known === pattern)?.[2](parts)
  return made ? made : null
}

/** Every local part that some pattern produces for a name or one of its spellings, with the pattern. */
export function localPartsOf(name: NameForEmail): Map<string, EmailPattern> {
  const found = new Map<string, EmailPattern>()
  for (const parts of variantsOf(name))
    for (const [pattern, , make] of PATTERNS) {
      const local = make(parts)
      if (local.length > 1 && !found.has(local)) found.set(local, pattern)
    }
  return found
}

/**
 * Spellings of a name in ASCII, the most likely first: `Jörg` is `joerg` or `jorg`, `van der Doe` is `vanderdoe` or
 * `doe`.
 */
function variantsOf({ first_name, middle_name, last_name }: NameForEmail): Parts[] {
  if (!first_name || !last_name) return []
  const middle = ascii(middle_name ?? '', false)[0] ?? ''
  const firsts = ascii(first_name, true)
  const lasts = ascii(last_name, false)
  return firsts
    .flatMap((first) => lasts.map((last) => ({ first, last, middle })))
    .filter(({ first, last }) => first && last)
}

function ascii(name: string, given: boolean): string[] {
  const lower = name.toLowerCase().replaceAll('ß', 'ss').replaceAll('ø', 'o').replaceAll('ł', 'l').replaceAll('æ', 'ae')
  const german = lower.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue')
  const words = (text: string): string[] =>
    foldAccents(text)
      .replace(/[.'’]/g, '')
      .split(/[\s-]+/)
  const forms = [german, lower].flatMap((text) => {
    const all = words(text)
    if (!all.every((word) => /^[a-z]+$/.test(word))) return []
    return given
      ? [all[0] as string, all.join('')]
      : [all.join(''), all.at(-1) as string, all[0] as string, all.join('-')]
  })
  return [...new Set(forms)]
}
