import type { BusinessText } from '../naics/classify.ts'
import type { SiteText } from './site-text.ts'

/** Number of phrases that are classified. */
const MAX_PHRASES = 10
const NAME_WEIGHT = 0.1
const TEXT_WEIGHT = 0.1
const MAX_TEXTS = 5
const MAX_TEXT = 200

/**
 * Returns texts that describe the company's business: the most probable industry phrases, weighted by their
 * probability, and the company's name, the title, the description and the first texts of the home page.
 */
export function describeBusiness(
  { pages: [home], titles, statements }: SiteText,
  name: string | undefined,
  phrases: readonly BusinessText[],
): BusinessText[] {
  const best = phrases.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_PHRASES)
  const description = home?.$('meta[name="description" i], meta[property="og:description" i]').first().attr('content')
  const first = statements
    .filter(({ page, area, text }) => page === 0 && area === 'main' && / /u.test(text.trim()))
    .slice(0, MAX_TEXTS)
  const texts = [titles[0] ?? '', description ?? '', ...first.map(({ text }) => text)].map((text) => ({
    text: text.slice(0, MAX_TEXT),
    weight: TEXT_WEIGHT,
  }))
  return [...best, ...(name ? [{ text: name, weight: NAME_WEIGHT }] : []), ...texts].filter(({ text }) => text !== '')
}
