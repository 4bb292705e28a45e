import type { ErrorCode, Issue } from './errors.ts'
import { AppError } from './errors.ts'

/** A JSON Schema validation error, as Ajv reports it. */
export interface SchemaIssue {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
  message?: string | undefined
}

/**
 * Converts the validation errors for the `body`, `querystring` or another part of a request into one error that lists
 * every violation with its path. Paths are JSON pointers for body errors and parameter names for other errors.
 */
export function schemaError(
  errors: SchemaIssue[],
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

/** Merges the type errors from all alternatives of a union into one error. */
function mergeAlternatives(errors: SchemaIssue[]): SchemaIssue[] {
  const joined = errors.filter(({ keyword }) => keyword === 'anyOf')
  const belongs = (error: SchemaIssue) =>
    error.keyword === 'type' && joined.some(({ instancePath }) => instancePath === error.instancePath)
  return errors
    .filter((error) => !belongs(error))
    .map((error) => {
      const types = errors.filter((one) => belongs(one) && one.instancePath === error.instancePath)
      if (error.keyword !== 'anyOf' || types.length === 0) return error
      return { ...error, message: `must be ${types.map(({ params }) => String(params['type'])).join(' or ')}` }
    })
}

function asIssue({ instancePath, keyword, params, message = 'is invalid' }: SchemaIssue, part: string): Issue {
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
