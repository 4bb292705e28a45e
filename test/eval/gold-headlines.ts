import { readFileSync } from 'node:fs'
import type { StoryType } from '../../src/enrichment/signals/classify/model.ts'
import { STORY_TYPES } from '../../src/enrichment/signals/classify/model.ts'

export interface GoldHeadline {
  type: StoryType
  headline: string
  lead: string | null
}

/**
 * Splits for training. `wire` has the style of newswires and newsrooms, `mixed` contains all styles, and the other
 * splits have the style of the trade press.
 */
export const TRAINING_SPLITS = ['train', 'dev', 'wire', 'mixed'] as const
export type GoldSplit = (typeof TRAINING_SPLITS)[number] | 'held-out'

/** Reads the labeled headlines of one split. The columns `type`, `headline` and `lead` are separated by tabs. */
export function readGoldHeadlines(split: GoldSplit): GoldHeadline[] {
  const file = new URL(`../fixtures/gold/signals/${split}.tsv`, import.meta.url)
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map((line, index) => {
      const [type, headline, lead] = line.split('\t')
      if (!headline || !STORY_TYPES.includes(type as StoryType))
        throw new Error(`${split}.tsv line ${index + 2}: ${line}`)
      return { type: type as StoryType, headline, lead: lead || null }
    })
}
