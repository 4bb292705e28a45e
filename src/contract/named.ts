import type { TSchema } from 'typebox'

/** Names a schema. The OpenAPI document lists named schemas in `components` and references them. */
export const named = <Schema extends TSchema>(title: string, schema: Schema): Schema => Object.assign(schema, { title })
