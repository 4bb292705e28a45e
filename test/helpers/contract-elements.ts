/** The parts of an OpenAPI schema that this module reads. */
interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  default?: unknown
}

interface Parameter {
  in: 'query' | 'path' | 'header'
  name: string
  schema: Schema
}

interface Operation {
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface OperationsDocument {
  paths: Record<string, Record<string, Operation>>
}

/** One element of the contract. `operation` is a method and path, or `any operation`. */
export interface Element {
  operation: string
  kind: 'status' | 'parameter' | 'limit' | 'reply'
  name: string
}

/** One request and its response. */
export interface Call {
  method: string
  /** Including the query. */
  path: string
  headers: Record<string, string>
  body: unknown
  status: number
  reply: unknown
}

/** Statuses that do not depend on the operation. */
const OF_ANY = new Set(['413', '414', '415', '429', '503'])
/** A documented status that no test can produce. */
const FAULT = '500'
/** Objects with more fields are firm records; only the fields that the interface names are listed. */
const WIDE = 32
const NAMED = new Set(['legal_name', 'sec_number', 'aum_total_usd', 'region'])

/** Lists every operation with its statuses, parameters, limits and response fields. */
export function listElements(document: OperationsDocument): Element[] {
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      elementsOf(`${method.toUpperCase()} ${path}`, operation),
    ),
  )
  return [...new Map(all.map((element) => [keyOf(element), element])).values()]
}

export const keyOf = ({ operation, kind, name }: Element): string => `${operation}|${kind}|${name}`

function elementsOf(operation: string, { parameters = [], requestBody, responses, security }: Operation): Element[] {
  const inputs = inputsOf(parameters, requestBody)
  return [
    ...Object.keys(responses)
      // Unauthenticated endpoints have no parameters, so only malformed HTTP causes a 400.
      .filter((status) => status !== FAULT && !(security?.length === 0 && status === '400'))
      .map((status) => statusElement(operation, status)),
    ...inputs.map(({ name }): Element => ({ operation, kind: 'parameter', name })),
    ...inputs.flatMap(({ name, schema }) =>
      limitsOf(schema).map((limit): Element => ({ operation, kind: 'limit', name: `${name}: ${limit.text}` })),
    ),
    ...leaves(schemaOfReply(responses)).map((name): Element => ({ operation, kind: 'reply', name })),
  ]
}

const statusElement = (operation: string, status: string): Element => ({
  operation: OF_ANY.has(status) ? 'any operation' : operation,
  kind: 'status',
  name: status,
})

function inputsOf(parameters: Parameter[], body: Operation['requestBody']): Pick<Parameter, 'name' | 'schema'>[] {
  const fields = Object.entries(body?.content['application/json']?.schema.properties ?? {})
  return [...parameters, ...fields.map(([name, schema]) => ({ name, schema }))]
}

interface Limit {
  text: string
  /** Returns whether an input exceeds the limit or, for a default, omits the field. */
  isTried(value: unknown): boolean
  refuses: boolean
}

function limitsOf(schema: Schema): Limit[] {
  const { minimum, maximum, minItems, maxItems } = schema
  const beyond = (text: string, isTried: (value: unknown) => boolean): Limit => ({ text, isTried, refuses: true })
  return [
    ...(minimum === undefined ? [] : [beyond(`at least ${minimum}`, (value) => Number(value) < minimum)]),
    ...(maximum === undefined ? [] : [beyond(`at most ${maximum}`, (value) => Number(value) > maximum)]),
    ...(minItems ? [beyond(`${minItems} or more`, (value) => Array.isArray(value) && value.length < minItems)] : []),
    ...(maxItems
      ? [beyond(`no more than ${maxItems}`, (value) => Array.isArray(value) && value.length > maxItems)]
      : []),
    ...(typeof schema.default === 'number'
      ? [{ text: `${schema.default} when not given`, isTried: (value: unknown) => value === undefined, refuses: false }]
      : []),
  ]
}

const schemaOfReply = (responses: Operation['responses']): Schema =>
  responses['200']?.content?.['application/json']?.schema ?? {}

/** Lists the leaf fields of a response, such as `companies[].name`. */
function leaves(schema: Schema, at = ''): string[] {
  if (schema.anyOf)
    return [...new Set(schema.anyOf.filter(({ type }) => type !== 'null').flatMap((one) => leaves(one, at)))]
  if (schema.items) return leaves(schema.items, `${at}[]`)
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0) return at === '' ? [] : [at]
  const shown = fields.length > WIDE ? fields.filter(([name]) => NAMED.has(name)) : fields
  return shown.flatMap(([name, field]) => leaves(field, at === '' ? name : `${at}.${name}`))
}

/** Lists the elements covered by a call whose response was validated against the contract. */
export function elementsOfCall(document: OperationsDocument, call: Call): Element[] {
  const url = new URL(call.path, 'http://localhost')
  const found = findOperation(document, call.method, url.pathname)
  if (!found) return []
  const { name: operation, path, parameters = [], requestBody, responses } = found
  const given = new Map<string, unknown>([...url.searchParams, ...Object.entries(call.headers)])
  const body = (typeof call.body === 'object' ? call.body : null) as Record<string, unknown> | null
  for (const [name, value] of Object.entries(body ?? {})) given.set(name, value)
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) given.set(name, true)
  const isDone = call.status === 200
  const inputs = inputsOf(parameters, requestBody)
  return [
    statusElement(operation, String(call.status)),
    ...inputs.flatMap(({ name, schema }): Element[] => [
      ...(isDone && given.has(name) ? [{ operation, kind: 'parameter' as const, name }] : []),
      ...limitsOf(schema).flatMap((limit): Element[] =>
        limit.isTried(given.get(name)) && limit.refuses === [400, 422].includes(call.status)
          ? [{ operation, kind: 'limit', name: `${name}: ${limit.text}` }]
          : [],
      ),
    ]),
    ...(isDone ? shownLeaves(schemaOfReply(responses), call.reply) : []).map(
      (name): Element => ({ operation, kind: 'reply', name }),
    ),
  ]
}

/** Lists the fields that have a value in this response; for a list, in any of its entries. */
function shownLeaves(schema: Schema, value: unknown): string[] {
  return leaves(schema).filter((path) => hasValue(value, path.replaceAll('[]', '.[]').split('.').filter(Boolean)))
}

function hasValue(value: unknown, [first, ...rest]: string[]): boolean {
  if (value === null || value === undefined) return false
  if (first === undefined) return true
  if (first === '[]') return Array.isArray(value) && value.some((one) => hasValue(one, rest))
  return typeof value === 'object' && hasValue((value as Record<string, unknown>)[first], rest)
}

function findOperation(document: OperationsDocument, method: string, pathname: string) {
  const paths = Object.keys(document.paths).filter((path) => {
    const parts = path.split('/').map((part) => (part.startsWith('{') ? '[^/]+' : RegExp.escape(part)))
    return new RegExp(`^${parts.join('/')}$`).test(pathname)
  })
  const path = paths.toSorted((one, other) => one.split('{').length - other.split('{').length)[0]
  const operation = path === undefined ? undefined : document.paths[path]?.[method.toLowerCase()]
  return path !== undefined && operation ? { ...operation, path, name: `${method.toUpperCase()} ${path}` } : undefined
}
