import type { NameVariant } from './about/company-names.ts'
import type { StoryText } from './classify/features.ts'

/**
 * Masks the company's names, so that a story about Launch Partners is not classified as a launch or a partnership
 * because of the name. Keeps names that consist of one common word, because the word may be used in its ordinary sense.
 */
export function maskNames(story: StoryText, variants: readonly NameVariant[]): StoryText {
  const patterns = variants.filter(({ weight }) => weight !== 'common').map(patternOf)
  const mask = (text: string) => patterns.reduce((masked, pattern) => masked.replace(pattern, ' #name '), text)
  return { headline: mask(story.headline), lead: story.lead ? mask(story.lead) : null }
}

/** Returns a pattern that matches the name's words with any separators between them. */
function patternOf({ words }: NameVariant): RegExp {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`))
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${escaped.join(String.raw`[\s&.,-]+(?:and\s+)?`)})(?![\p{L}\p{N}])`,
    'giu',
  )
}
