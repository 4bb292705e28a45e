import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { absentIfNull, nullableTimestamp, timestamp } from './nullable.ts'
import { SCOPES } from './scopes.ts'

const scope = Type.Enum([...SCOPES])

const key = {
  key_id: Type.String({ description: 'Key ID.' }),
  label: Type.String({ description: 'Label of the key.' }),
  last_four: Type.String({ description: 'Last four characters of the key.' }),
  scopes: Type.Array(scope, { description: 'Scopes of the key.' }),
  created_at: timestamp('When the key was created.'),
  expires_at: nullableTimestamp('When the key expires; null if it never expires.'),
  last_used_at: nullableTimestamp('Time of the latest request with the key, updated at most once a minute.'),
  revoked_at: nullableTimestamp('When the key was revoked; null if it has not been revoked.'),
}

/** An API key without its secret. */
export const ApiKey = named('ApiKey', Type.Object(key))
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyList = named(
  'ApiKeyList',
  Type.Object({ keys: Type.Array(ApiKey, { description: 'Newest first.' }) }),
)
export type ApiKeyList = Static<typeof ApiKeyList>

export const NewApiKey = named(
  'NewApiKey',
  Type.Object(
    {
      label: Type.String({ minLength: 1, maxLength: 100, description: 'Purpose or holder of the key.' }),
      scopes: Type.Array(scope, { minItems: 1, uniqueItems: true, description: 'Scopes of the key.' }),
      expires_at: absentIfNull(
        Type.String({ format: 'date-time', description: 'Expiry time of the key. Default: never.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

export const CreatedApiKey = named(
  'CreatedApiKey',
  Type.Object({ ...key, key: Type.String({ description: 'The secret key, returned only in this response.' }) }),
)
export type CreatedApiKey = Static<typeof CreatedApiKey>
