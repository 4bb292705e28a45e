import type { TSchema } from 'typebox'

/** The key under which a schema stores keywords to publish in the OpenAPI document. */
export const DOCUMENTED = 'x-documented'

/**
 * Adds keywords to the OpenAPI document, such as a pattern or an enum. Schema validation ignores these keywords; the
 * handler checks the value and lists the accepted values in its error.
 */
export const documented = <Schema extends TSchema>(schema: Schema, keywords: object): Schema =>
  Object.assign(schema, { [DOCUMENTED]: keywords })
