import type { Classification } from '../../src/enrichment/signals/classify/classify.ts'
import type { StoryType } from '../../src/enrichment/signals/classify/model.ts'
import { STORY_TYPES } from '../../src/enrichment/signals/classify/model.ts'

export interface TypeScore {
  type: StoryType
  precision: number
  recall: number
  f1: number
  /** Number of stories of this type. */
  support: number
}

export interface Judged {
  gold: StoryType
  given: StoryType
}

/** Returns precision, recall and F1 for each type, and macro-F1 over the ten types and `none`. */
export function scoreTypes(judged: Judged[]): { types: TypeScore[]; macroF1: number; accuracy: number } {
  const types = STORY_TYPES.map((type) => {
    const right = judged.filter(({ gold, given }) => gold === type && given === type).length
    const given = judged.filter((one) => one.given === type).length
    const support = judged.filter((one) => one.gold === type).length
    const precision = given === 0 ? 0 : right / given
    const recall = support === 0 ? 0 : right / support
    const f1 = right === 0 ? 0 : (2 * precision * recall) / (precision + recall)
    return { type, precision, recall, f1, support }
  })
  const macroF1 = types.reduce((sum, one) => sum + one.f1, 0) / types.length
  return { types, macroF1, accuracy: judged.filter(({ gold, given }) => gold === given).length / judged.length }
}

export interface Reliability {
  /** Expected calibration error over ten bins of equal width. */
  ece: number
  bins: { from: number; count: number; confidence: number; accuracy: number }[]
}

/** Returns the expected calibration error and its bins. */
export function scoreCalibration(outcomes: { confidence: number; right: boolean }[]): Reliability {
  const bins = Array.from({ length: 10 }, (_, bin) => {
    const inside = outcomes.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === bin)
    const mean = (values: number[]) =>
      values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
    return {
      from: bin / 10,
      count: inside.length,
      confidence: mean(inside.map((one) => one.confidence)),
      accuracy: mean(inside.map((one) => (one.right ? 1 : 0))),
    }
  })
  const ece = bins.reduce((sum, bin) => sum + bin.count * Math.abs(bin.confidence - bin.accuracy), 0) / outcomes.length
  return { ece, bins }
}

export const outcomeOf = (gold: StoryType, { likeliest, confidence }: Classification) => ({
  confidence,
  right: gold === likeliest,
})
