import type { TSchema } from 'typebox'

/** Names a schema. The OpenAPI document lists it under this name in `components` and references it. */
export const named = <Schema extends TSchema>(title: string, schema: Schema): Schema => Object.assign(schema, { title })
