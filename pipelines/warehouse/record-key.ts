import { isStorable } from '../../src/lib/storable-text.ts'

/** Longer ones would not fit an index; a domain has at most 253 characters. */
const LONGEST_KEY = 255

/** Can a record be known by this? */
export const isKey = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_KEY && isStorable(value)
