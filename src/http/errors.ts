import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, systemCode } from '../lib/errors.ts'
import { schemaError } from '../lib/schema-error.ts'
import type { ProblemCode } from './problem.ts'
import { HttpError, problem, STATUS, waitHeaders } from './problem.ts'

/** Messages for Fastify's errors. */
const FASTIFY: Record<string, [ProblemCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is larger than 1 MiB. Split the request.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'The body must be JSON with Content-Type: application/json.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid_request', 'The body is empty. Send a JSON object.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_request', 'The body is not valid JSON or contains a __proto__ key.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'The body length does not match Content-Length.'],
  FST_ERR_BAD_URL: ['invalid_request', 'The URL path is invalid.'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', 'A path segment is longer than 500 characters.'],
}

/** SQLSTATE classes and system error codes that indicate that a database is down or overloaded. */
const UNAVAILABLE = /^(08|53|57P0|57014|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)/
const DISK_FULL = '53100'
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/

/** Sends the error body for any error. Unexpected errors are logged with their stack and sent as `internal`. */
export function sendProblem(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = knownError(error)
  if (known instanceof HttpError) return send(request, reply.headers(known.headers), known.code, known.message)
  if (known instanceof AppError) {
    if (STATUS[known.code] >= 500) request.log.error({ err: known }, 'request failed')
    return send(request, reply.headers(waitHeaders(known)), known.code, known.message, known)
  }
  request.log.error({ err: error }, 'unexpected error')
  return send(request, reply, 'internal', 'Internal error. Include the request ID when you report this error.')
}

function send(request: FastifyRequest, reply: FastifyReply, code: ProblemCode, detail: string, error?: AppError) {
  return reply
    .code(STATUS[code])
    .header('x-request-id', request.id)
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(problem(code, detail, request.id, error?.issues))
}

function knownError(error: FastifyError | Error): Error | undefined {
  if (error instanceof AppError || error instanceof HttpError) return error
  if ('validation' in error && error.validation) return schemaError(error.validation, error.validationContext ?? 'body')
  const code = systemCode(error) ?? ''
  const [problemCode, message] = FASTIFY[code] ?? []
  if (problemCode) return new HttpError(problemCode, message as string)
  if (error instanceof SyntaxError && 'statusCode' in error)
    return new HttpError('invalid_request', 'The body is not valid JSON.')
  if (code === DISK_FULL)
    return new AppError('unavailable', 'The database disk is full. Try again later.', { cause: error })
  if (UNAVAILABLE.test(code) || UNAVAILABLE_MESSAGE.test(error.message))
    return new AppError('unavailable', 'The database is unavailable. Try again in a few seconds.', { cause: error })
  return undefined
}
