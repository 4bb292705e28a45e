import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { nullableText, timestamp } from './nullable.ts'

export const AuditQuery = Type.Object(
  {
    action: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Action, such as `list.add`, or its part before the dot, such as `list`.',
      }),
    ),
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'Return only entries with a smaller ID.' })),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  },
  { additionalProperties: false },
)

export const AuditPage = named(
  'AuditPage',
  Type.Object({
    entries: Type.Array(
      Type.Object({
        entry_id: Type.Integer({ description: 'Entry ID, which defines the order of entries.' }),
        at: timestamp('When the change was made.'),
        key_id: nullableText('API key.'),
        address: nullableText('IP address of the request.'),
        action: Type.String({ description: 'Action, such as list.add or key.revoke.' }),
        target: Type.String(),
        result: Type.String({ description: '`ok`, or the error code of a rejected change.' }),
        details: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Details of the change, such as counts and settings.',
        }),
      }),
      { description: 'Newest first.' },
    ),
    limit: Type.Integer(),
  }),
)
export type AuditPage = Static<typeof AuditPage>
