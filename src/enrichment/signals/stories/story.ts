import type { StoryText } from '../classify/features.ts'

/** One item from a feed, a newsroom page, a news sitemap or a news source. */
export interface Story extends StoryText {
  url: string
  headline: string
  /** The first sentences, as plain text and truncated. */
  lead: string | null
  /** The publication date, YYYY-MM-DD; null if it is unknown. */
  date: string | null
}

/** The kind of source, stored as the observation's method. */
export type StoryMethod = 'feed' | 'newsroom' | 'news-sitemap' | 'gdelt' | 'rss'

const LEAD_LENGTH = 400

/**
 * Converts a summary, which may contain HTML, to plain text. Returns null if the summary is empty or repeats the
 * headline.
 */
export function tidyLead(text: string | null | undefined, headline: string): string | null {
  const plain = (text ?? '')
    .replace(/<(?:br|\/p|\/div|\/li)\b[^>]*>/giu, ' ')
    .replace(/<[^>]*>/gu, '')
    .replace(/&(?:nbsp|#160);/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
  if (plain === '' || plain.toLowerCase() === headline.toLowerCase()) return null
  return plain.length <= LEAD_LENGTH ? plain : `${plain.slice(0, LEAD_LENGTH).replace(/\s+\S*$/u, '')}…`
}
