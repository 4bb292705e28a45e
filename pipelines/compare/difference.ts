/** The datasets that can be compared with the service. */
export const VERIFIABLE = ['firms', 'members', 'history'] as const
export type Verifiable = (typeof VERIFIABLE)[number]

/** One difference between the warehouse and the service. */
export interface Difference {
  /**
   * `missing`: only the service has the record. `extra`: only the warehouse has the record. `differs`: both have the
   * record, with different values.
   */
  kind: 'missing' | 'extra' | 'differs'
  entity: string
  /** The key that a repair uses to fetch the record: a firm's SEC number or a member's domain. */
  key: string
  /** The key of the person, signal or event, if the difference is in one of the member's people, signals or events. */
  record?: string
  /** The differing fields. */
  fields?: string[]
}

/** The result of a comparison. */
export interface Verification {
  /** Number of rows compared. */
  compared: number
  differences: Difference[]
  /** Data that was not compared, and the reason. */
  notes: string[]
}
