import fastJsonStringify from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'

/**
 * Compiles a response's serializer when the first response is sent. Compiling the serializers of all routes would take
 * half of the CPU time in which the service starts.
 */
export const compileSerializer: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let serialize: ((value: unknown) => string) | undefined
  return (value) => {
    serialize ??= fastJsonStringify(schema)
    return serialize(value)
  }
}
