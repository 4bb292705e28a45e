import fc from 'fast-check'
import type { OpenApiDocument } from './contract.ts'

/** A valid, nearly valid or invalid request. */
export interface GeneratedRequest {
  method: string
  path: string
  body?: string
  headers: Record<string, string>
}

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

interface Operation {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

const DOMAINS = [
  'example.com',
  'acme.example',
  'https://WWW.Firm.co.uk/about?x=1',
  'münchen.de',
  'localhost',
  '10.0.0.1',
  'a',
]
const TEXTS = [
  'Acme',
  'NY',
  'complete',
  'eq.NYRO',
  'sec_number.desc',
  '2026-01-01T00:00:00.000000Z',
  'jane@firm.example',
  'me',
]

/** Values that faulty or hostile clients send. */
const HOSTILE = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom<unknown>(null, '', '\0', '\ud800', -1, 0, 0.1, 1e308, 2 ** 31, 2 ** 53, true, [], {}, [[[[[]]]]]),
  fc.constantFrom<unknown>(
    "' or 1=1 --",
    '%',
    '_',
    '\\',
    '\\u0000',
    '../../etc/passwd',
    'x'.repeat(5_000),
    '$1',
    '{}',
    'NaN',
  ),
  fc.constantFrom<unknown>(
    '0000-00-00',
    '99999-12-31T00:00:00Z',
    '2026-13-45',
    '-infinity',
    '1e400',
    '٣',
    '‮abc',
    'a'.repeat(64),
  ),
)

/** Generates a request to any operation of the document. */
export function anyRequest(document: OpenApiDocument): fc.Arbitrary<GeneratedRequest> {
  // The response of an event stream does not end.
  const ending = Object.entries(document.paths).filter(([path]) => !path.endsWith('/events'))
  const operations = ending.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      requestTo(document, path, method, operation as unknown as Operation),
    ),
  )
  return fc.oneof(...operations)
}

function requestTo(document: OpenApiDocument, template: string, method: string, operation: Operation) {
  const inPath = fc.record(valuesOf(document, operation, 'path'))
  const optional = valuesOf(document, operation, 'query')
  const inQuery = fc.record({ ...optional, ...(method === 'get' && { unknown_one: HOSTILE }) }, { requiredKeys: [] })
  const schema = operation.requestBody?.content['application/json']?.schema
  const body = schema === undefined ? fc.constant(undefined) : bodyOf(document, schema)
  const headers = fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.string({ maxLength: 300 }).map((key) => ({ 'idempotency-key': headerText(key) })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('text/plain', 'application/xml', 'a').map((type) => ({ 'content-type': type })),
    },
  )
  return fc
    .record({ inPath, inQuery, body, headers })
    .map(({ inPath: path, inQuery: query, body: sent, headers: extra }) => {
      const place = template.replace(/\{(\w+)\}/g, (_, name: string) => encode(path[name]) || 'x')
      // Rarely sent, because an unknown parameter masks the other errors.
      const { unknown_one: unknown, ...known } = query as Record<string, unknown>
      const entries = Object.entries(known).concat(unknown === null ? [['unknown_one', '1']] : [])
      const search = entries.map(([name, value]) => `${name}=${encode(value)}`).join('&')
      return {
        method: method.toUpperCase(),
        path: search === '' ? place : `${place}?${search}`,
        headers: { ...(sent !== undefined && { 'content-type': 'application/json' }), ...extra },
        ...(sent !== undefined && { body: sent }),
      }
    })
}

function valuesOf(document: OpenApiDocument, { parameters = [] }: Operation, place: string) {
  const own = parameters.filter((parameter) => parameter.in === place)
  return Object.fromEntries(own.map(({ name, schema }) => [name, anyValue(document, schema)]))
}

function bodyOf(document: OpenApiDocument, schema: Schema): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: anyValue(document, schema).map((value) => JSON.stringify(value) ?? 'null') },
    { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.toWellFormed()) },
  )
}

function anyValue(document: OpenApiDocument, schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: fitting(document, schema) }, { weight: 1, arbitrary: HOSTILE })
}

function fitting(document: OpenApiDocument, schema: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref) return fitting(document, resolve(document, schema.$ref))
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((inner) => fitting(document, inner)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'array') {
    const items = schema.items ? anyValue(document, schema.items) : HOSTILE
    return fc.array(items, { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 6, 12) })
  }
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, anyValue(document, inner)])
    return fc.record<Record<string, unknown>>(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] })
  }
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer' || type === 'number')
    return fc.integer({ min: (schema.minimum ?? 0) - 1, max: (schema.maximum ?? Number.MAX_SAFE_INTEGER - 1) + 1 })
  return fc.oneof(fc.constantFrom(...DOMAINS), fc.constantFrom(...TEXTS), fc.string({ maxLength: 20 }))
}

function resolve(document: OpenApiDocument, ref: string): Schema {
  const parts = ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return parts.reduce<unknown>((tree, part) => (tree as Record<string, unknown>)[part], document) as Schema
}

const encode = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed())

const headerText = (text: string): string => text.replace(/[^\x20-\x7e]/g, '').trim() || 'key'
