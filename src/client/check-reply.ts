import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { Compile } from 'typebox/compile'
import type { Call, Reply } from './call.ts'
import { callName } from './call.ts'
import { requestId } from './problem.ts'

const compiled = new WeakMap<TSchema, Validator>()

/** Undefined if the body is valid, else a function that builds the error message. */
export function mismatch(schema: TSchema, body: unknown): ((call: Call, reply: Reply) => string) | undefined {
  let validator = compiled.get(schema)
  if (!validator) {
    validator = Compile(schema)
    compiled.set(schema, validator)
  }
  if (validator.Check(body)) return undefined
  const [first] = validator.Errors(body)
  const where = first?.instancePath || 'the body'
  return (call, reply) =>
    `${callName(call)} returned an invalid response: ${where} ${first?.message ?? 'is invalid'}${requestId(reply)}`
}
