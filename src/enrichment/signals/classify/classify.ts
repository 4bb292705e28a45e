import type { StoryText } from './features.ts'
import type { Model, StoryType } from './model.ts'
import { signalModel, typeProbabilities } from './model.ts'

/** A story is taken for a signal from this probability on. Lower finds more and errs more. */
export const DEFAULT_THRESHOLD = 0.55

export interface Classification {
  /** The decision: `none` too when no type reaches the threshold. */
  type: StoryType
  /** The likeliest type, whatever its probability. */
  likeliest: StoryType
  /** Calibrated probability of `likeliest`. */
  confidence: number
}

export interface ClassifyOptions {
  threshold?: number
  model?: Model
}

/** Tells what a story is by its headline and, where there is one, its lead: the main event, not the vocabulary. */
export function classifyStory(story: StoryText, options: ClassifyOptions = {}): Classification {
  const { threshold = DEFAULT_THRESHOLD, model = signalModel() } = options
  let likeliest: StoryType = 'none'
  let confidence = 0
  for (const [type, probability] of typeProbabilities(model, story))
    if (probability > confidence) [likeliest, confidence] = [type, probability]
  return { type: confidence >= threshold ? likeliest : 'none', likeliest, confidence }
}
