import type { TSchema } from 'typebox'

/** The key of published keywords in a schema. */
export const DOCUMENTED = 'x-documented'

/**
 * Adds keywords that the OpenAPI document publishes, such as a pattern or an enum. Validation leaves them to the handler, whose error
 * lists the accepted values.
 */
export const documented = <Schema extends TSchema>(schema: Schema, keywords: object): Schema =>
  Object.assign(schema, { [DOCUMENTED]: keywords })
