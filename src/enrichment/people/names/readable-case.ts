import { LOWER_PARTICLES, SUFFIXES } from './name-words.ts'

const ROMAN = /^[IVX]+$/
const VOWEL = /[AEIOUYÀ-Ý]/

/**
 * Returns whether all words are in capitals (`DOE, JANE`). Text that consists only of initials does not count as a name
 * in capitals.
 */
export function isAllCaps(text: string): boolean {
  return /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text)
}

/**
 * Converts a name in capitals to readable case: `O'BRIEN-MCGEE` to `O'Brien-McGee`, `VAN DER BERG` to `van der Berg`.
 * Returns names with lower-case letters unchanged.
 */
export function toReadableCase(name: string): string {
  if (!isAllCaps(name)) return name
  const tokens = name.split(' ')
  return tokens.map((token, index) => readableToken(token, tokens[index - 1], tokens[index + 1])).join(' ')
}

function readableToken(token: string, before: string | undefined, after: string | undefined): string {
  const lower = token.toLowerCase()
  const bare = lower.replaceAll('.', '')
  if (SUFFIXES.has(bare)) return ROMAN.test(token) ? token : capitalise(lower)
  if (after && (LOWER_PARTICLES.has(bare) || joinsParticles(bare, before, after))) return lower
  // Two letters without a vowel are initials: `JP`, `TJ`, `DJ`.
  if (/^\p{Lu}{2}$/u.test(token) && !VOWEL.test(token)) return token
  return token
    .split(/(?<=[-'’.])/)
    .map((part) => capitalise(part.toLowerCase()))
    .join('')
}

/**
 * Returns whether a particle is next to another particle (`de la`) and therefore lower case. Single particles are
 * capitalized (`Van Dyke`, `De Marco`).
 */
function joinsParticles(bare: string, before: string | undefined, after: string): boolean {
  if (bare === 'van' || bare === 'de') return /^(der|den|de|het|la|las|los)$/i.test(after)
  return /^(la|las|los|het)$/.test(bare) && /^(de|van)$/i.test(before ?? '')
}

function capitalise(lower: string): string {
  const capital = lower.charAt(0).toUpperCase() + lower.slice(1)
  return capital.replace(/^Mc(\p{Ll})/u, (_, letter: string) => `Mc${letter.toUpperCase()}`)
}
