/** A record as received, or translated by the host profile. */
export type Raw = Record<string, unknown>

export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
