import { isStorable } from '../../src/lib/storable-text.ts'

/** Maximum key length. Longer keys may not fit in an index entry. A domain has at most 253 characters. */
const MAX_KEY_LENGTH = 255

/** Whether the value can identify a record. */
export const isKey = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_KEY_LENGTH && isStorable(value)
