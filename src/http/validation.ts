import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import type { TSchema } from 'typebox'
import { DOCUMENTED } from '../contract/documented.ts'
import { valuesWithoutControls, withoutControls } from '../lib/control-characters.ts'
import type { ErrorCode, Issue } from '../lib/errors.ts'
import { AppError } from '../lib/errors.ts'

// Applies defaults, and rejects unknown fields instead of removing them.
const RULES = { useDefaults: true, removeAdditional: false, allErrors: true, strict: false } as const

const formats = addFormats as unknown as (ajv: Ajv) => Ajv
/** For bodies, which are not coerced, so `"5"` is not accepted for 5. */
const exact = formats(new Ajv({ ...RULES, coerceTypes: false }))
// The removal of control characters must not turn a value that breaks a published pattern into a valid one.
exact.addKeyword({
  keyword: DOCUMENTED,
  type: 'string',
  compile: ({ pattern }: { pattern?: string }) => {
    const published = new RegExp(pattern ?? '', 'u')
    return (text: string) => published.test(text) || withoutControls(text) === text
  },
  error: { message: 'contains control characters' },
})
/** For path and query parameters, which are text and are coerced. */
const coercing = formats(new Ajv({ ...RULES, coerceTypes: true }))

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  httpPart === 'body' ? compileBody(schema) : coercing.compile(schema)

/** Validates a body as sent, removes control characters from its values, and validates the result. */
function compileBody(schema: object) {
  const check = exact.compile(schema)
  const validate = (body: unknown): boolean | { value: unknown } => {
    validate.errors = null
    const value = body instanceof Uint8Array ? body : valuesWithoutControls(body)
    if (check(body) && check(value)) return { value }
    validate.errors = (check.errors ?? null) as FastifySchemaValidationError[] | null
    return false
  }
  validate.errors = null as FastifySchemaValidationError[] | null
  return validate
}

/**
 * Converts validation errors: 400 for invalid parameters, 422 for an invalid body. Reports every error with its path.
 */
export function schemaError(
  errors: FastifySchemaValidationError[],
  part: string,
  code: ErrorCode = part === 'body' ? 'unprocessable' : 'invalid_request',
): AppError {
  const issues = distinct(mergeAlternatives(errors).map((error) => asIssue(error, part)))
  const detail = issues
    .slice(0, 3)
    .map(({ path, message }) => `${path || 'the body'} ${message}`)
    .join('; ')
  return new AppError(code, `${detail}.`, { issues })
}

/**
 * Returns 422 for an unknown `field` in a history query, because the parameter is well-formed but the record has no
 * such field.
 */
export function historyQueryError(errors: FastifySchemaValidationError[], part: string): AppError {
  const isField = errors.some(({ instancePath }) => instancePath === '/field')
  return schemaError(errors, part, isField ? 'unprocessable' : 'invalid_request')
}

/** Merges the type errors from all alternatives of a union into one error. */
function mergeAlternatives(errors: FastifySchemaValidationError[]): FastifySchemaValidationError[] {
  const joined = errors.filter(({ keyword }) => keyword === 'anyOf')
  const belongs = (error: FastifySchemaValidationError) =>
    error.keyword === 'type' && joined.some(({ instancePath }) => instancePath === error.instancePath)
  return errors
    .filter((error) => !belongs(error))
    .map((error) => {
      const types = errors.filter((one) => belongs(one) && one.instancePath === error.instancePath)
      if (error.keyword !== 'anyOf' || types.length === 0) return error
      return { ...error, message: `must be ${types.map(({ params }) => String(params['type'])).join(' or ')}` }
    })
}

function asIssue(
  { instancePath, keyword, params, message = 'is invalid' }: FastifySchemaValidationError,
  part: string,
): Issue {
  const at = (name?: unknown) => {
    const pointer = name === undefined ? instancePath : `${instancePath}/${String(name)}`
    return part === 'body' ? pointer : pointer.slice(1)
  }
  const known = params as Record<string, unknown>
  if (keyword === 'additionalProperties') return { path: at(known['additionalProperty']), message: 'is not allowed' }
  if (keyword === 'required') return { path: at(known['missingProperty']), message: 'is required' }
  if (keyword === 'enum')
    return { path: at(), message: `must be one of ${(known['allowedValues'] as unknown[]).join(', ')}` }
  if (keyword === 'const') return { path: at(), message: `must be ${JSON.stringify(known['allowedValue'])}` }
  return { path: at(), message }
}

function distinct(issues: Issue[]): Issue[] {
  const seen = new Map(issues.map((issue) => [`${issue.path} ${issue.message}`, issue]))
  return [...seen.values()]
}
