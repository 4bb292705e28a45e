import type { StoryType } from '../../src/enrichment/signals/classify/model.ts'

/** A keyword baseline: the first pattern that matches the headline determines the type. */
const KEYWORDS: readonly [StoryType, RegExp][] = [
  [
    'Funding',
    /\b(rais(?:es|ed|ing)|funding|series [a-f]|seed|investment|ipo|financing|grant|closes .*fund|investors?)\b/iu,
  ],
  [
    'Acquisition',
    /\b(acqui(?:res?|red|sition|ring)|buys?|bought|merg(?:es?|er|ing)|takeover|purchases?|sold|stake)\b/iu,
  ],
  [
    'Leadership Change',
    /\b(appoint(?:s|ed|ment)?|names?|named|ceo|cfo|coo|cto|president|chief|resigns?|steps down|retires?|promotes?)\b/iu,
  ],
  ['Partnership', /\b(partner(?:s|ship|ed)?|collaborat\w+|alliance|teams? up|joint venture|agreement|join forces)\b/iu],
  [
    'Regulatory',
    /\b(sec|finra|fda|fca|regulators?|fin(?:es|ed)|licen[cs]e|approv(?:al|es|ed)|lawsuit|sues?|court|charges?)\b/iu,
  ],
  ['Award', /\b(awards?|prize|wins?|won|ranked|recogni[sz]ed|hono(?:u)?red|best|top \d+|finalist)\b/iu],
  ['Hiring', /\b(hir(?:es?|ed|ing)|recruit\w*|jobs?|joins?|vacanc\w+|headcount|welcomes?)\b/iu],
  ['Expansion', /\b(expan(?:ds?|sion|ding)|opens?|opening|new office|enters?|headquarters|branch|plant|factory)\b/iu],
  [
    'Product Launch',
    /\b(launch(?:es|ed)?|unveils?|introduc\w+|debuts?|releases?|new product|rolls? out|announces)\b/iu,
  ],
  [
    'Technology',
    /\b(technology|platform|ai|cloud|software|patents?|deploys?|implements?|migrat\w+|selects?|system)\b/iu,
  ],
]

export function classifyByKeyword(headline: string): StoryType {
  return KEYWORDS.find(([, pattern]) => pattern.test(headline))?.[0] ?? 'none'
}
