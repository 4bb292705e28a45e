import type { StoryType } from '../../src/enrichment/signals/classify/model.ts'
import { STORY_TYPES } from '../../src/enrichment/signals/classify/model.ts'

/** A story that is left out of training, with its most likely type. */
export interface JudgedType {
  gold: StoryType
  likeliest: StoryType
  confidence: number
}

const STEPS = Array.from({ length: 34 }, (_, step) => Number((0.3 + step * 0.02).toFixed(2)))
const NO_SIGNAL = 0

interface Choice {
  threshold: number
  right: number
  shown: number
  f1: number
}

/**
 * Returns the threshold of each type with the highest macro-F1 at which the share of correct signals is at least
 * `precision`. A type with few stories or many errors is worth the same to macro-F1 as a frequent type, so the
 * thresholds of frequent types are raised more.
 */
export function chooseThresholds(judged: readonly JudgedType[], precision: number): number[] {
  const types = STORY_TYPES.filter((type) => type !== 'none')
  const choices = types.map((type) => choicesOf(type, judged))
  for (let price = 0; price < 0.01; price += 0.0001) {
    const value = ({ f1, right, shown }: Choice) => f1 + price * (right - precision * shown)
    const chosen = choices.map((list) => list.reduce((best, one) => (value(one) > value(best) ? one : best)))
    const sum = (of: (choice: Choice) => number) => chosen.reduce((total, choice) => total + of(choice), 0)
    if (sum(({ right }) => right) >= precision * sum(({ shown }) => shown))
      return STORY_TYPES.map((type) => chosen[types.indexOf(type as never)]?.threshold ?? NO_SIGNAL)
  }
  throw new Error(`No thresholds reach a precision of ${precision}`)
}

function choicesOf(type: StoryType, judged: readonly JudgedType[]): Choice[] {
  const support = judged.filter(({ gold }) => gold === type).length
  const given = judged.filter(({ likeliest }) => likeliest === type)
  return STEPS.map((threshold) => {
    const shown = given.filter(({ confidence }) => confidence >= threshold)
    const right = shown.filter(({ gold }) => gold === type).length
    return { threshold, right, shown: shown.length, f1: (2 * right) / (shown.length + support) }
  })
}
