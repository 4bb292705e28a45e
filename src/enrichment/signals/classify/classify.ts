import type { StoryText } from './features.ts'
import type { Model, StoryType } from './model.ts'
import { signalModel, typeProbabilities } from './model.ts'

/** Minimum probability of a signal type. A lower threshold increases recall and reduces precision. */
export const DEFAULT_THRESHOLD = 0.6

export interface Classification {
  /** The signal type; `none` if no type reaches the threshold. */
  type: StoryType
  /** The most likely type, regardless of the threshold. */
  likeliest: StoryType
  /** Calibrated probability of `likeliest`. */
  confidence: number
}

export interface ClassifyOptions {
  threshold?: number
  model?: Model
}

/** Classifies a story by the main event of its headline and lead. */
export function classifyStory(story: StoryText, options: ClassifyOptions = {}): Classification {
  const { threshold = DEFAULT_THRESHOLD, model = signalModel() } = options
  let likeliest: StoryType = 'none'
  let confidence = 0
  for (const [type, probability] of typeProbabilities(model, story))
    if (probability > confidence) [likeliest, confidence] = [type, probability]
  return { type: confidence >= threshold ? likeliest : 'none', likeliest, confidence }
}
