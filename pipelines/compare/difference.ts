/** The parts of the warehouse that can be compared with the service. */
export const VERIFIABLE = ['firms', 'members', 'history'] as const
export type Verifiable = (typeof VERIFIABLE)[number]

/** One thing in which warehouse and service differ. */
export interface Difference {
  /** missing: the service has it, the warehouse has not. extra: the other way round. differs: both have it. */
  kind: 'missing' | 'extra' | 'differs'
  entity: string
  /** What a repair asks the service for: the SEC number of a firm, the domain of a member. */
  key: string
  /** The record within it, such as a person's key or an event's. */
  record?: string
  /** The fields that differ. */
  fields?: string[]
}

/** What a comparison found. */
export interface Verification {
  /** Rows that were compared. */
  compared: number
  differences: Difference[]
  /** What could not be compared, and other remarks. */
  notes: string[]
}
