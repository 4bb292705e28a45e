import type { TSchemaOptions } from 'typebox'
import { Type } from 'typebox'

/** A value or null, as one JSON Schema type list: a union of schemas would be tried one by one for every value that is sent. */
const orNull =
  <Value>(type: 'string' | 'integer' | 'number' | 'boolean') =>
  (description: string, options: TSchemaOptions = {}) =>
    Type.Unsafe<Value | null>({ type: [type, 'null'], description, ...options })

export const nullableText = orNull<string>('string')
export const nullableInteger = orNull<number>('integer')
export const nullableNumber = orNull<number>('number')

/** ISO 8601, UTC, six digits after the second. */
export const nullableTimestamp = (description: string) =>
  nullableText(`${description} ISO 8601, UTC, microseconds.`, { format: 'date-time' })

export const timestamp = (description: string) =>
  Type.String({ description: `${description} ISO 8601, UTC, microseconds.`, format: 'date-time' })
