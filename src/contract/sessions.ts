import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { absentIfNull, nullableText, nullableTimestamp, timestamp } from './nullable.ts'

/** The caller of a request, with its client, its API key and the key's scopes. */
export const Identity = named(
  'Identity',
  Type.Object({
    client_id: Type.String({ description: 'Client of the API key.' }),
    key_id: Type.String({ description: 'API key of the request or of its session.' }),
    scopes: Type.Array(Type.String(), { description: 'Scopes of the key.' }),
    plan: Type.String({ description: 'Plan of the client.' }),
    key_expires_at: nullableTimestamp('When the key expires; null if it never expires.'),
    session_id: nullableText('Session of the request; null for a request with an API key.'),
    has_warehouse: Type.Boolean({ description: 'Whether this service serves `/v2/warehouse`.' }),
  }),
)
export type Identity = Static<typeof Identity>

export const SignIn = named(
  'SignIn',
  Type.Object(
    {
      api_key: absentIfNull(Type.String({ maxLength: 200, description: 'API key. Send either `api_key` or `link`.' })),
      link: absentIfNull(
        Type.String({ maxLength: 200, description: 'Secret of a one-time link. Send either `api_key` or `link`.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

export const Session = named(
  'Session',
  Type.Object({
    session_id: Type.String({ description: 'Session ID.' }),
    key_id: Type.String({ description: 'API key of the session.' }),
    key_label: Type.String({ description: 'Label of that key.' }),
    address: nullableText('IP address from which the user signed in.'),
    user_agent: nullableText('User-Agent of the sign-in request.'),
    created_at: timestamp('When the user signed in.'),
    last_seen_at: timestamp('Time of the latest request, updated at most once a minute.'),
    expires_at: timestamp('When the session ends.'),
  }),
)

export const SessionList = named('SessionList', Type.Object({ sessions: Type.Array(Session) }))
export type SessionList = Static<typeof SessionList>

export const SessionEnded = named(
  'SessionEnded',
  Type.Object({ session_id: Type.String({ description: 'ID of the ended session.' }) }),
)
