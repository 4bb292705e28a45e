import { DOCUMENTED } from '../../contract/documented.ts'
import { EXAMPLES } from '../../contract/examples.ts'

/** Parts of an OpenAPI document. */
type Node = Record<string, unknown>

const RESPONSE_NAMES: Record<string, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'InsufficientUnits',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'BodyTooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedMediaType',
  422: 'ValidationFailed',
  429: 'RateLimited',
  500: 'InternalError',
  503: 'Unavailable',
}

const text = (description: string) => ({ description, schema: { type: 'string' } })
const HEADERS = {
  'X-Request-Id': text('Request ID, as sent by the client or generated.'),
  'RateLimit-Policy': text('Limit of the rate class: `"read";q=60000;w=60`.'),
  RateLimit: text('Remaining requests, and seconds until the window ends: `"read";r=59871;t=42`.'),
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: { type: 'integer', minimum: 1 } },
}
const headers = (...names: (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Marks an operation's body as optional. */
export const OPTIONAL_BODY = 'x-optional-body'

/**
 * Serializes a schema without its description. The generator moves a parameter's description from the schema to the
 * parameter.
 */
const shape = ({ description: _, ...schema }: Node): string => JSON.stringify(Object.entries(schema).sort())

/**
 * Moves named schemas (schemas with a `title`), error responses and headers to `components`, and replaces them with
 * references.
 */
export function shareComponents(document: Node): Node {
  const components = (document['components'] ?? {}) as Record<string, Node>
  const schemas: Node = { ...components['schemas'] }
  const responses: Node = {}
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node !== 'object' || node === null) return node
    const { [DOCUMENTED]: more, ...rest } = node as Node
    const copy = Object.fromEntries(
      Object.entries({ ...rest, ...(more as Node) }).map(([name, value]) => [name, visit(value)]),
    )
    const { title, ...schema } = copy
    if (typeof title !== 'string' || !('type' in copy || 'anyOf' in copy || 'enum' in copy)) return copy
    // Code generators name a nullable enum only if its values do not include null.
    if (Array.isArray(schema['enum']) && schema['enum'].includes(null)) {
      const values = schema['enum'].filter((value) => value !== null)
      return { anyOf: [visit({ ...schema, title, type: 'string', enum: values }), { type: 'null' }] }
    }
    const known = schemas[title] as Node | undefined
    if (known && shape(known) !== shape(schema)) throw new Error(`Two schemas are named ${title}.`)
    schemas[title] = { ...known, ...schema }
    return { $ref: `#/components/schemas/${title}` }
  }
  const visitOperation = (operation: Node): Node => {
    const { [OPTIONAL_BODY]: isOptional, ...given } = operation
    const copy = visit(given) as Node
    if (isOptional) copy['requestBody'] = { ...(copy['requestBody'] as Node), required: false }
    const isOpen = Array.isArray(operation['security']) && operation['security'].length === 0
    const shared = Object.entries(copy['responses'] as Record<string, Node>).map(([status, response]) => {
      const name = RESPONSE_NAMES[status]
      if (!name)
        return [
          status,
          {
            ...response,
            headers: isOpen ? headers('X-Request-Id') : headers('X-Request-Id', 'RateLimit-Policy', 'RateLimit'),
          },
        ]
      const retries =
        status === '429' || status === '503' ? headers('X-Request-Id', 'Retry-After') : headers('X-Request-Id')
      responses[name] = { ...response, headers: retries }
      return [status, { $ref: `#/components/responses/${name}` }]
    })
    return { ...copy, responses: Object.fromEntries(shared) }
  }
  const paths = Object.entries(document['paths'] as Record<string, Record<string, Node>>).map(([path, operations]) => [
    path,
    Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, visitOperation(operation)])),
  ])
  const webhooks = visit(document['webhooks'])
  addExamples(schemas)
  return {
    ...document,
    paths: Object.fromEntries(paths),
    webhooks,
    components: { ...components, schemas, responses, headers: HEADERS },
  }
}

/** Skips examples for schemas that are absent, such as the warehouse's schemas. A test validates the examples. */
function addExamples(schemas: Node): void {
  for (const [name, example] of Object.entries(EXAMPLES))
    if (schemas[name]) schemas[name] = { ...schemas[name], examples: [example] }
}
