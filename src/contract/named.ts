import type { TSchema } from 'typebox'

/** Names a schema: the OpenAPI document lists it in `components` under this name and refers to it everywhere. */
export const named = <Schema extends TSchema>(title: string, schema: Schema): Schema => Object.assign(schema, { title })
