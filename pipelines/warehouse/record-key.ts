import { isStorable } from '../../src/lib/storable-text.ts'

/** Maximum key length. A longer key might not fit in an index entry. Domains have at most 253 characters. */
const MAX_KEY_LENGTH = 255

/** Whether the value can be the key of a record. */
export const isKey = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_KEY_LENGTH && isStorable(value)
