import type { Static, TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { Compile } from 'typebox/compile'
import type { RequestOptions, ResponseInfo } from '../../src/client/index.ts'
import { AppError } from '../../src/lib/errors.ts'
import { asAppError } from './app-error.ts'

const compiled = new WeakMap<TSchema, Validator>()

/** Calls the client and validates the response. Allows unknown fields. Throws AppError. */
export async function checked<Schema extends TSchema>(
  schema: Schema,
  call: (options: RequestOptions) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<Static<Schema>> {
  let response: ResponseInfo | undefined
  const onResponse = (given: ResponseInfo) => {
    response = given
  }
  const body = await call({ signal, onResponse }).catch((error: unknown) => {
    throw asAppError(error)
  })
  const fault = faultOf(schema, body)
  if (fault === undefined) return body as Static<Schema>
  const id = response?.requestId === undefined ? '' : ` (request ${response.requestId})`
  throw new AppError('upstream_failed', `${response?.request} returned an invalid response: ${fault}${id}`)
}

/** Describes the first schema violation in the body. Returns undefined if the body is valid. */
function faultOf(schema: TSchema, body: unknown): string | undefined {
  let validator = compiled.get(schema)
  if (!validator) {
    validator = Compile(schema)
    compiled.set(schema, validator)
  }
  if (validator.Check(body)) return undefined
  const [first] = validator.Errors(body)
  return `${first?.instancePath || 'the body'} ${first?.message ?? 'is invalid'}`
}
