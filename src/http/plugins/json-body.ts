import { AppError } from '../../lib/errors.ts'
import { isStorable } from '../../lib/storable-text.ts'
import type { App } from '../deps.ts'
import { HttpError } from '../problem.ts'

const MAX_DEPTH = 16
/** Maximum number of values in a body. Limits validation cost, because every error in the body is reported. */
const MAX_VALUES = 50_000

/** Accepts JSON bodies only. Rejects `__proto__` keys, deep nesting and text that PostgreSQL cannot store. */
export function parseJson(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') return done(new HttpError('unsupported_media_type', ENCODED))
    const { config, schema } = request.routeOptions
    // Some clients send a JSON Content-Type without a body.
    if (body.length === 0 && (config.optionalBody || !schema?.body)) return done(null, undefined)
    const text = decode(body as Buffer)
    if (text === undefined) return done(new AppError('invalid_request', 'The body is not valid UTF-8.'))
    parse(request, text, (error, value) => {
      if (error) return done(error)
      const invalid = findBodyError(value)
      return invalid ? done(invalid) : done(null, value)
    })
  })
  app.addHook('preValidation', async ({ query, params }) => {
    for (const [name, value] of [...Object.entries(query as object), ...Object.entries(params as object)])
      if (typeof value === 'string' && !isStorable(value))
        throw new AppError('invalid_request', `${name} contains NUL or an unpaired surrogate.`)
  })
}

const ENCODED = 'Content-Encoding is not supported. Send the body uncompressed.'

/** Decodes UTF-8. Returns undefined for invalid bytes, which must not be stored as U+FFFD. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Traverses the body iteratively, so that a deeply nested body cannot exhaust the stack. */
function findBodyError(body: unknown): AppError | undefined {
  const rest: [unknown, number][] = [[body, 1]]
  let values = 0
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [value, depth] = next
    values += 1
    if (depth > MAX_DEPTH) return new AppError('unprocessable', `The body is nested deeper than ${MAX_DEPTH} levels.`)
    if (values > MAX_VALUES) return new AppError('unprocessable', `The body contains more than ${MAX_VALUES} values.`)
    if (typeof value === 'string' && !isStorable(value)) return invalidText()
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) return invalidText()
      rest.push([inner, depth + 1])
    }
  }
  return undefined
}

const invalidText = () => new AppError('unprocessable', 'The body contains NUL or an unpaired surrogate.')
