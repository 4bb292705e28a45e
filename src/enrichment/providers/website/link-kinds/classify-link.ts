import { readFileSync } from 'node:fs'
import type { ClassifierWeights, Probabilities } from '../../../classifier/classifier.ts'
import { createClassifier } from '../../../classifier/classifier.ts'
import type { LinkContext } from './features.ts'
import { featuresOf } from './features.ts'

/** Kinds of pages that a link can point to. `legal` is an imprint, a legal notice or a privacy policy. */
export const LINK_KINDS = ['team', 'about', 'contact', 'legal', 'news', 'other'] as const

export type LinkKind = (typeof LINK_KINDS)[number]

export type LinkProbabilities = Probabilities<LinkKind>

export function createLinkModel(weights: ClassifierWeights): (link: LinkContext) => LinkProbabilities {
  const classify = createClassifier(LINK_KINDS, weights)
  return (link) => classify(featuresOf(link))
}

/** Weights written by `npm run generate -- link-kinds`. */
const model = createLinkModel(
  JSON.parse(readFileSync(new URL('weights.json', import.meta.url), 'utf8')) as ClassifierWeights,
)

/** Classifies a link by the letters of its text and path, its position and its depth. */
export const classifyLink = (link: LinkContext): LinkProbabilities => model(link)
