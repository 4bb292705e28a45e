import { curlCommand } from '../../lib/curl.ts'

/** The parts of the OpenAPI document that the reference shows. */
export interface Document {
  paths: Record<string, Record<string, RawOperation>>
  components: { schemas: Record<string, Schema> }
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  examples?: unknown[]
  default?: unknown
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface RawOperation {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface Operation extends RawOperation {
  method: string
  path: string
  tag: string
  /** Required scopes; empty if every key has access or no key is needed. */
  scopes: readonly string[]
}

export function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      tag: operation.tags?.[0] ?? 'other',
      scopes: operation.security?.[0]?.['apiKey'] ?? [],
    })),
  )
}

/** Resolves a reference to the schema that it names; returns other schemas unchanged. */
export const resolve = ({ components }: Document, schema: Schema | undefined): Schema =>
  schema?.$ref ? (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : (schema ?? {})

/** Formats a schema as a short type, such as `string[] | null` or the name of an object. */
export function typeName(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'object'
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' | ')
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.items) return `${typeName(schema.items)}[]`
  return [schema.type ?? 'any'].flat().join(' | ')
}

/** Formats the operation as a shell command, with the example body. */
export function asCurl(document: Document, { method, path, requestBody }: Operation, origin: string): string {
  const body = resolve(document, requestBody?.content?.['application/json']?.schema).examples?.[0]
  return curlCommand(method, origin + path.replaceAll('{client_id}', 'me'), body)
}
