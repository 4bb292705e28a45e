import { regionIn } from './regions.ts'
import type { SiteText } from './site-text.ts'

/** A state or province, and the page that names it. */
export interface LocatedState {
  state: string
  page: number
}

const MAX_TEXT = 400
/** What may stand between a city and its state: a comma, a parenthesis or a slash, and a postal code. */
const BETWEEN = /^(?:\s+\d[\d -]{3,8})?\s*(?<mark>[,،(/–-]?)\s*(?:\d[\d -]{3,8},?\s+)?/u
const MAX_WORDS = 3

/**
 * Finds the state that a text names directly after the city. Addresses often omit the state that the title or a
 * sentence of the site states.
 */
export function stateOfCity({ statements, titles }: SiteText, city: string, country: string): LocatedState | undefined {
  if (city === '') return undefined
  const texts = [
    ...titles.map((text, page) => ({ text, page })),
    ...statements.filter(({ text }) => text.length <= MAX_TEXT),
  ]
  for (const { text, page } of texts)
    for (let at = text.indexOf(city); at >= 0; at = text.indexOf(city, at + 1)) {
      const state = stateAtStart(text.slice(at + city.length), city, country)
      if (state !== undefined) return { state, page }
    }
  return undefined
}

function stateAtStart(text: string, city: string, country: string): string | undefined {
  // The city is the start of a longer word.
  if (/^\p{L}/u.test(text)) return undefined
  const between = BETWEEN.exec(text)
  const rest = text.slice(between?.[0].length ?? 0)
  const words = (/^[^,،;|·()\d]*/u.exec(rest)?.[0] ?? '').trim().split(/\s+/u)
  for (let count = Math.min(words.length, MAX_WORDS); count > 0; count--) {
    const name = words.slice(0, count).join(' ')
    // Without a mark, a code such as `IN` or `OR` may be a word, and a repeated name the start of another sentence.
    const isCertain = between?.groups?.['mark'] !== '' || (name.length > 3 && name !== city)
    if (isCertain && /^[^\p{Ll}]/u.test(name)) {
      const state = regionIn(name, country)
      if (state !== undefined) return state
    }
  }
  return undefined
}
