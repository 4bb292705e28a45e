import type { StoryText } from '../classify/features.ts'

/** One item of a feed, a newsroom page, a sitemap or a news source. */
export interface Story extends StoryText {
  url: string
  headline: string
  /** The first sentences as plain text, shortened. */
  lead: string | null
  /** The publisher's date, YYYY-MM-DD, or null. */
  date: string | null
}

/** The kind of source, recorded as the observation's method. */
export type StoryMethod = 'feed' | 'newsroom' | 'news-sitemap' | 'gdelt' | 'rss'

const LEAD_LENGTH = 400

/** Plain text of a summary that may contain HTML; null when empty. */
export function tidyLead(text: string | null | undefined, headline: string): string | null {
  const plain = (text ?? '')
    .replace(/<(?:br|\/p|\/div|\/li)\b[^>]*>/giu, ' ')
    .replace(/<[^>]*>/gu, '')
    .replace(/&(?:nbsp|#160);/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
  // Many feeds repeat the headline as the summary.
  if (plain === '' || plain.toLowerCase() === headline.toLowerCase()) return null
  return plain.length <= LEAD_LENGTH ? plain : `${plain.slice(0, LEAD_LENGTH).replace(/\s+\S*$/u, '')}…`
}
