import type { Static, TSchema, TSchemaOptions } from 'typebox'
import { Type } from 'typebox'

/** Schema for a nullable value, as a JSON Schema type list. With a union, the serializer would try each member. */
const orNull =
  <Value>(type: 'string' | 'integer' | 'number' | 'boolean') =>
  (description: string, options: TSchemaOptions = {}) =>
    Type.Unsafe<Value | null>({ type: [type, 'null'], description, ...options })

export const nullableText = orNull<string>('string')
export const nullableInteger = orNull<number>('integer')
export const nullableNumber = orNull<number>('number')

/** Schema for one of the given values or null. */
export const nullableEnum = <const Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value | null>({ type: ['string', 'null'], enum: [...values, null], description })

/** An optional request field for which null means absent. The HTTP layer removes nulls before the handler runs. */
export const absentIfNull = <Schema extends TSchema & { type: string }>(schema: Schema) =>
  Type.Optional(Type.Unsafe<Static<Schema>>({ ...schema, type: [schema.type, 'null'] }))

/** ISO 8601 in UTC with microseconds. */
export const nullableTimestamp = (description: string) =>
  nullableText(`${description} ISO 8601 in UTC with microseconds.`, { format: 'date-time' })

export const timestamp = (description: string) =>
  Type.String({ description: `${description} ISO 8601 in UTC with microseconds.`, format: 'date-time' })
