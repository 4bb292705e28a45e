import type { StoryText } from './features.ts'
import type { Model, StoryType } from './model.ts'
import { signalModel, typeProbabilities } from './model.ts'

export interface Classification {
  /** The signal type; `none` if no type reaches its threshold. */
  type: StoryType
  /** The most likely type, regardless of the threshold. */
  likeliest: StoryType
  /** Calibrated probability of `likeliest`. */
  confidence: number
}

export interface ClassifyOptions {
  /** Minimum probability of a signal type. By default, each type has the threshold of the model. */
  threshold?: number
  model?: Model
}

/** Classifies a story by the main event of its headline and lead. */
export function classifyStory(story: StoryText, options: ClassifyOptions = {}): Classification {
  const { model = signalModel() } = options
  let likeliest: StoryType = 'none'
  let confidence = 0
  for (const [type, probability] of typeProbabilities(model, story))
    if (probability > confidence) [likeliest, confidence] = [type, probability]
  const threshold = options.threshold ?? thresholdOf(model, likeliest)
  return { type: confidence >= threshold ? likeliest : 'none', likeliest, confidence }
}

function thresholdOf({ weights: { types, thresholds } }: Model, type: StoryType): number {
  return thresholds[types.indexOf(type)] as number
}
