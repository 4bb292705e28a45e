import { readFileSync } from 'node:fs'
import type { LinkContext } from './features.ts'
import { BUCKETS, featuresOf } from './features.ts'

/** Kinds of pages that a link may lead to. `legal` is an imprint, a legal notice or a privacy policy. */
export const LINK_KINDS = ['team', 'about', 'contact', 'legal', 'news', 'other'] as const

export type LinkKind = (typeof LINK_KINDS)[number]

/** Probability of each kind. The probabilities add up to one. */
export type LinkProbabilities = Readonly<Record<LinkKind, number>>

/**
 * The model file that `npm run generate -- link-kinds` writes. Weights are signed bytes, ordered by bucket and kind.
 * The biases are last.
 */
export interface LinkKindWeights {
  /** Scale of the weights: the value that one step represents. */
  step: number
  /** Softmax temperature, calibrated on links of sites that the training data does not contain. */
  temperature: number
  /** The weights, base64-encoded. */
  weights: string
}

export function createLinkModel({
  step,
  temperature,
  weights,
}: LinkKindWeights): (link: LinkContext) => LinkProbabilities {
  const bytes = Buffer.from(weights, 'base64')
  const table = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = (row: number, kind: number): number => table[row * LINK_KINDS.length + kind] as number
  return (link) => {
    const rows = featuresOf(link)
    const odds = LINK_KINDS.map((_, kind) => {
      const sum = rows.reduce((total, row) => total + at(row, kind), 0)
      return Math.exp(((sum / Math.sqrt(rows.length + 1) + at(BUCKETS, kind)) * step) / temperature)
    })
    const total = odds.reduce((sum, one) => sum + one, 0)
    return Object.fromEntries(LINK_KINDS.map((kind, place) => [kind, (odds[place] as number) / total])) as Record<
      LinkKind,
      number
    >
  }
}

const model = createLinkModel(
  JSON.parse(readFileSync(new URL('weights.json', import.meta.url), 'utf8')) as LinkKindWeights,
)

/** Classifies a link by the letters of its text and path, its position and its depth. */
export const classifyLink = (link: LinkContext): LinkProbabilities => model(link)
