import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, systemCode } from '../lib/errors.ts'
import type { ProblemCode } from './problem.ts'
import { HttpError, problem, STATUS, waitHeaders } from './problem.ts'
import { schemaError } from './validation.ts'

/** What Fastify itself refuses, in our words. */
const FASTIFY: Record<string, [ProblemCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is larger than 1 MiB. Send it in parts.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'Send the body as JSON, with Content-Type: application/json.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid_request', 'The body is empty; it must be a JSON object.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_request', 'The body is not valid JSON, or has a key __proto__.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'The body is not as long as Content-Length says.'],
  FST_ERR_BAD_URL: ['invalid_request', 'The path is not a valid URL path.'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', 'A part of the path is too long.'],
}

/** SQLSTATE classes and system errors that say: the database is away, or too busy. It may be back in a moment. */
const AWAY = /^(08|53|57P0|57014|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)/
const DISK_FULL = '53100'
const AWAY_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/

/** Replies to any failure with the one error body. What has no name is logged with its stack and told as `internal`. */
export function sendProblem(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = named(error)
  if (known instanceof HttpError) return send(request, reply.headers(known.headers), known.code, known.message)
  if (known instanceof AppError) {
    if (STATUS[known.code] >= 500) request.log.error({ err: known }, 'a request failed')
    return send(request, reply.headers(waitHeaders(known)), known.code, known.message, known)
  }
  request.log.error({ err: error }, 'a request failed in a way that has no name')
  return send(request, reply, 'internal', 'Something went wrong on our side. Quote the request id when you report it.')
}

function send(request: FastifyRequest, reply: FastifyReply, code: ProblemCode, detail: string, error?: AppError) {
  return reply
    .code(STATUS[code])
    .header('x-request-id', request.id)
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(problem(code, detail, request.id, error?.issues))
}

function named(error: FastifyError | Error): Error | undefined {
  if (error instanceof AppError || error instanceof HttpError) return error
  if ('validation' in error && error.validation) return schemaError(error.validation, error.validationContext ?? 'body')
  const code = systemCode(error) ?? ''
  const [problemCode, message] = FASTIFY[code] ?? []
  if (problemCode) return new HttpError(problemCode, message as string)
  if (error instanceof SyntaxError && 'statusCode' in error)
    return new HttpError('invalid_request', 'The body is not valid JSON.')
  if (code === DISK_FULL)
    return new AppError(
      'unavailable',
      'The disk of the database is full: nothing can be stored until its operator has made room. Try again later.',
      { cause: error },
    )
  if (AWAY.test(code) || AWAY_MESSAGE.test(error.message))
    return new AppError('unavailable', 'The database does not answer. Try again in a few seconds.', { cause: error })
  return undefined
}
