import type { NameVariant } from './about/company-names.ts'
import type { StoryText } from './classify/features.ts'

/**
 * The story with the company's names taken out: a company called Launch Partners must not make every one of its stories a launch or a
 * partnership. Names that are one common word stay, since there the word may be meant.
 */
export function maskNames(story: StoryText, variants: readonly NameVariant[]): StoryText {
  const patterns = variants.filter(({ weight }) => weight !== 'common').map(patternOf)
  const mask = (text: string) => patterns.reduce((masked, pattern) => masked.replace(pattern, ' #name '), text)
  return { headline: mask(story.headline), lead: story.lead ? mask(story.lead) : null }
}

/** The words with whatever stands between them, as whole words. */
function patternOf({ words }: NameVariant): RegExp {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`))
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${escaped.join(String.raw`[\s&.,-]+(?:and\s+)?`)})(?![\p{L}\p{N}])`,
    'giu',
  )
}
