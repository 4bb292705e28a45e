/** Parts of the warehouse that can be verified against the service. */
export const VERIFIABLE = ['firms', 'members', 'history'] as const
export type Verifiable = (typeof VERIFIABLE)[number]

/** One difference between warehouse and service. */
export interface Difference {
  /** missing: only the service has it. extra: only the warehouse has it. differs: both have it, with other values. */
  kind: 'missing' | 'extra' | 'differs'
  entity: string
  /** What a repair fetches: the SEC number of a firm, or the domain of a member. */
  key: string
  /** The record within it: a person's, signal's or event's key. */
  record?: string
  /** The fields that differ. */
  fields?: string[]
}

/** The result of a comparison. */
export interface Verification {
  /** Number of rows compared. */
  compared: number
  differences: Difference[]
  /** What was not compared, and why. */
  notes: string[]
}
