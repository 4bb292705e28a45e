import { AppError } from '../../lib/errors.ts'
import { isStorable } from '../../lib/storable-text.ts'
import type { App } from '../deps.ts'
import { HttpError } from '../problem.ts'

const DEEPEST = 16
/** Bounds the work of a schema that tells every fault of a body. */
const MAX_VALUES = 50_000

/** JSON is the only body. `__proto__` keys, deep nesting and text that no database can hold are refused. */
export function parseJson(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') return done(new HttpError('unsupported_media_type', ENCODED))
    const text = decode(body as Buffer)
    if (text === undefined) return done(new AppError('invalid_request', 'The body is not valid UTF-8.'))
    parse(request, text, (error, value) => {
      if (error) return done(error)
      const fault = findBodyError(value)
      return fault ? done(fault) : done(null, value)
    })
  })
  app.addHook('preValidation', async ({ query, params }) => {
    for (const [name, value] of [...Object.entries(query as object), ...Object.entries(params as object)])
      if (typeof value === 'string' && !isStorable(value))
        throw new AppError('invalid_request', `${name} holds a character that is not text (NUL or half of a pair).`)
  })
}

const ENCODED = 'Send the body as it is: without Content-Encoding.'

/** Undefined for bytes that are no UTF-8: replaced by U+FFFD, they would be stored for what was never sent. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Walks without recursion: a body of brackets must not exhaust the stack. */
function findBodyError(body: unknown): AppError | undefined {
  const rest: [unknown, number][] = [[body, 1]]
  let values = 0
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [value, depth] = next
    values += 1
    if (depth > DEEPEST) return new AppError('unprocessable', `The body is nested deeper than ${DEEPEST} levels.`)
    if (values > MAX_VALUES) return new AppError('unprocessable', `The body holds more than ${MAX_VALUES} values.`)
    if (typeof value === 'string' && !isStorable(value)) return notText()
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) return notText()
      rest.push([inner, depth + 1])
    }
  }
  return undefined
}

const notText = () =>
  new AppError('unprocessable', 'The body holds a character that is not text (NUL or half of a surrogate pair).')
