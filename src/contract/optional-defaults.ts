interface ObjectSchema {
  properties?: Record<string, ObjectSchema & { default?: unknown }>
  required?: string[]
}

/**
 * Makes fields with a default optional in the published schema of a request. TypeBox lists them as required, because
 * they are always present after validation.
 */
export function withOptionalDefaults<Schema extends object>(schema: Schema): Schema {
  const { required = [], properties, ...rest } = schema as ObjectSchema
  const needed = required.filter((name) => properties?.[name]?.default === undefined)
  const fields = properties && Object.entries(properties).map(([name, field]) => [name, withOptionalDefaults(field)])
  return {
    ...rest,
    ...(fields && { properties: Object.fromEntries(fields) }),
    ...(needed.length > 0 && { required: needed }),
  } as Schema
}
