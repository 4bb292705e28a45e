import type { Static, TSchema } from 'typebox'
import type { Call } from './call.ts'

/** A call. `repeatable` defaults to true for GET. */
export type CallOptions = Omit<Call, 'repeatable'> & { repeatable?: boolean }

/** Sends a request and validates the response against `schema`, allowing unknown fields. Throws AppError unless the status is 2xx. */
export type RequestJson = <Schema extends TSchema>(schema: Schema, call: CallOptions) => Promise<Static<Schema>>
