import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { Compile } from 'typebox/compile'
import type { Call, Reply } from './call.ts'
import { callName } from './call.ts'
import { requestId } from './problem.ts'

const compiled = new WeakMap<TSchema, Validator>()

/** Undefined when the body fits; otherwise what to say about the call that got it. */
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
    `${callName(call)} answered with something else than the interface says: ${where} ${first?.message ?? 'does not fit'}${requestId(reply)}`
}
