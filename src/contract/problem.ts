import type { Static } from 'typebox'
import { Type } from 'typebox'

const Issue = Type.Object({
  path: Type.String({ description: 'JSON pointer into the body, or parameter name.' }),
  message: Type.String({ description: 'Explains why the value is invalid.' }),
})

/** The body of every error response. */
export const Problem = Type.Object(
  {
    detail: Type.String({ description: 'Explains the error and how to fix it.' }),
    code: Type.String({ description: 'Machine-readable error code.' }),
    request_id: Type.String({ description: 'Request ID, also in the `x-request-id` header and in the log.' }),
    errors: Type.Optional(Type.Array(Issue, { description: 'Invalid values, for validation errors.' })),
  },
  { $id: 'Problem', description: 'The body of every error response.' },
)
export type Problem = Static<typeof Problem>
