import type { ClassifierWeights, Probabilities } from '../../classifier/classifier.ts'
import { createTextModel, readWeights } from './text-model.ts'

/**
 * Classes for a heading, link, path or class name: the text introduces the company's people (`own`), introduces other
 * people or things (`others`), or does neither (`neutral`).
 */
export const SECTION_KINDS = ['own', 'others', 'neutral'] as const

export type SectionKind = (typeof SECTION_KINDS)[number]

let model = createTextModel(SECTION_KINDS, readWeights<ClassifierWeights>('weights-sections.json'))

/** Classifies a heading or similar short text. */
export const classifySection = (text: string): Probabilities<SectionKind> => model(text)

/** Replaces the model, so that dependent models can be trained on texts that this model has not seen. */
export function useSectionModel(weights: ClassifierWeights): void {
  model = createTextModel(SECTION_KINDS, weights)
}
