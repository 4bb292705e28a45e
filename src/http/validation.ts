import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import type { TSchema } from 'typebox'
import { DOCUMENTED } from '../contract/documented.ts'
import { valuesWithoutControls, withoutControls } from '../lib/control-characters.ts'
import type { AppError } from '../lib/errors.ts'
import { schemaError } from '../lib/schema-error.ts'

// Applies defaults, and rejects unknown fields instead of removing them.
const RULES = { useDefaults: true, removeAdditional: false, allErrors: true, strict: false } as const

const formats = addFormats as unknown as (ajv: Ajv) => Ajv
/** Validator for bodies. Types are not coerced, so `"5"` is not accepted as a number. */
const exact = formats(new Ajv({ ...RULES, coerceTypes: false }))
// Removing control characters must not turn a value that violates a published pattern into a valid value.
exact.addKeyword({
  keyword: DOCUMENTED,
  type: 'string',
  compile: ({ pattern }: { pattern?: string }) => {
    const published = new RegExp(pattern ?? '', 'u')
    return (text: string) => published.test(text) || withoutControls(text) === text
  },
  error: { message: 'contains control characters' },
})
/** Validator for path and query parameters, which arrive as strings, so their types are coerced. */
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
 * Returns 422 for an unknown `field` in a history query, because the parameter is well-formed but the record has no
 * such field.
 */
export function historyQueryError(errors: FastifySchemaValidationError[], part: string): AppError {
  const isField = errors.some(({ instancePath }) => instancePath === '/field')
  return schemaError(errors, part, isField ? 'unprocessable' : 'invalid_request')
}
