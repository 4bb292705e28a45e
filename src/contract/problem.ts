import type { Static } from 'typebox'
import { Type } from 'typebox'

const Issue = Type.Object({
  path: Type.String({ description: 'Where: a JSON pointer into the body, or the name of a parameter.' }),
  message: Type.String({ description: 'What is wrong there.' }),
})

/** The body of every error reply, whatever the status. */
export const Problem = Type.Object(
  {
    detail: Type.String({ description: 'What is wrong and what to do, for a person.' }),
    code: Type.String({ description: 'What is wrong, for a program: one word for one kind of failure.' }),
    request_id: Type.String({ description: 'Names this request in the log; also in the header `x-request-id`.' }),
    errors: Type.Optional(Type.Array(Issue, { description: 'The single faults, where there are several to tell.' })),
  },
  { $id: 'Problem', description: 'The body of every error reply.' },
)
export type Problem = Static<typeof Problem>
