import type { Decision, Features } from '../../src/enrichment/company/facts/decide.ts'

/** A candidate with its label. */
export interface Labeled {
  decision: Decision
  features: Features
  isFact: boolean
  /** The example's site or sentence. Validation holds out all examples of a group together. */
  group: string
  /** Weight of the group. */
  weight: number
  /** Number of candidates that the example stands for. @default 1 */
  times?: number
  text: string
}
