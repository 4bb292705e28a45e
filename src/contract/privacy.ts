import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { nullableInteger, nullableTimestamp, timestamp } from './nullable.ts'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description }))

/** The body of `POST /v2/privacy/erasures`. */
export const ErasureRequest = named(
  'ErasureRequest',
  Type.Object(
    {
      email: text('Email address.'),
      email_hash: text('First 16 hex digits of the SHA-256 of the lower-case address, or all 64.'),
      person_id: text('Identifier of any record of the person.'),
      social_url: text('Profile URL on a professional network.'),
      full_name: text('Full name; requires company_domain.'),
      company_domain: text('Domain of the company; requires full_name.'),
      dry_run: Type.Boolean({
        default: false,
        description: 'Report the rows that would be removed, without removing them.',
      }),
    },
    { additionalProperties: false },
  ),
)

export type ErasureRequest = Static<typeof ErasureRequest>

/** The response to `POST /v2/privacy/erasures`. Rows that belong to a single client are removed but not counted. */
export const Erasure = named(
  'Erasure',
  Type.Object({
    erasure_id: nullableInteger('Identifier of the erasure; null for a dry run.'),
    places: Type.Array(
      Type.Object({
        table: Type.String({ description: 'Table in the service database.' }),
        rows: Type.Integer({ description: 'Number of rows that named the person.' }),
        removal: Type.Enum(['delete', 'redact'], {
          description: "`delete`: the rows were deleted. `redact`: the person's data was replaced with `[erased]`.",
        }),
      }),
    ),
  }),
)

export type Erasure = Static<typeof Erasure>

export const ErasureFeedQuery = Type.Object(
  {
    since: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Return erasures after this position.',
    }),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 100 }),
  },
  { additionalProperties: false },
)

export type ErasureFeedQuery = Static<typeof ErasureFeedQuery>

/** The response to `GET /v2/privacy/erasures`. */
export const ErasureFeed = named(
  'ErasureFeed',
  Type.Object({
    hmac_key: Type.String({ description: 'HMAC-SHA-256 key for `macs`, in hexadecimal.' }),
    erasures: Type.Array(
      Type.Object({
        erasure_id: Type.Integer(),
        position: Type.Integer({ description: 'Position in the feed; increases in commit order.' }),
        erased_at: timestamp('When the person was erased.'),
        lifted_at: nullableTimestamp('When the suppression was lifted; null while the person is suppressed.'),
        macs: Type.Array(Type.String(), {
          description: "Keyed hashes of the person's identifiers; empty once the suppression has been lifted.",
        }),
      }),
    ),
    limit: Type.Integer(),
  }),
)
export type ErasureFeed = Static<typeof ErasureFeed>
