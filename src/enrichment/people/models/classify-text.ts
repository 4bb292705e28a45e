import type { ClassifierWeights, Probabilities } from '../../classifier/classifier.ts'
import { createTextModel, readWeights } from './text-model.ts'

/** Kinds of short text on a page. */
export const TEXT_KINDS = ['name', 'title', 'other'] as const

export type TextKind = (typeof TEXT_KINDS)[number]

let model = createTextModel(TEXT_KINDS, readWeights<ClassifierWeights>('weights-text-kinds.json'))

/** Classifies a text as a person's name, a job title or other text. */
export const classifyText = (text: string): Probabilities<TextKind> => model(text)

/** Replaces the model, so that dependent models can be trained on texts that this model has not seen. */
export function useTextModel(weights: ClassifierWeights): void {
  model = createTextModel(TEXT_KINDS, weights)
}
