import type { Static, TSchema } from 'typebox'
import type { Call } from './call.ts'

/** A call as a resource makes it. What reads is repeatable by nature; a POST says so itself. */
export type CallOptions = Omit<Call, 'repeatable'> & { repeatable?: boolean }

/** One call, its reply checked against `schema`. Fields the schema does not know are let through. Throws AppError for all but 2xx. */
export type RequestJson = <Schema extends TSchema>(schema: Schema, call: CallOptions) => Promise<Static<Schema>>
