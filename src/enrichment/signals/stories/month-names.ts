import { foldAccents } from '../../../lib/fold-accents.ts'

/**
 * Languages, ordered by how often they occur in newsrooms. If an abbreviation is ambiguous, the first language wins.
 */
const LANGUAGES = 'en-US en-GB de fr es it pt nl sv da nb fi pl cs sk hu ro tr ru uk el et lv lt sl id vi ca'.split(' ')
/** Spellings that the locale data does not contain. */
const EXTRA_SPELLINGS: Readonly<Record<string, number>> = { sept: 9, mrz: 3, maerz: 3, jaenner: 1, janner: 1 }
const STYLES = ['long', 'short'] as const

let names: Map<string, number> | undefined

/** Returns the month, 1 to 12, for a full or abbreviated name in one of these languages; 0 for other words. */
export function monthOf(name: string): number {
  names ??= collectNames()
  return names.get(keyOf(name)) ?? 0
}

/**
 * Collects month names from the platform's locale data. Formats each month with and without a day, because Slavic
 * languages inflect the month after a day.
 */
function collectNames(): Map<string, number> {
  const found = new Map<string, number>()
  for (const [name, month] of Object.entries(EXTRA_SPELLINGS)) found.set(name, month)
  for (const language of LANGUAGES)
    for (const month of STYLES)
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(language, { month, day, timeZone: 'UTC' })
        for (let index = 0; index < 12; index += 1) {
          const parts = format.formatToParts(Date.UTC(2026, index, 15))
          const key = keyOf(parts.find(({ type }) => type === 'month')?.value ?? '')
          if (/^\p{L}{3,}$/u.test(key) && !found.has(key)) found.set(key, index + 1)
        }
      }
  return found
}

const keyOf = (name: string): string => foldAccents(name.toLowerCase()).replace(/\.$/u, '')
