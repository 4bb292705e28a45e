interface ObjectSchema {
  properties?: Record<string, ObjectSchema & { default?: unknown }>
  required?: string[]
}

/**
 * Converts a request schema to the schema of the requests that callers send. Fields with a default are optional,
 * although TypeBox lists them as required.
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
