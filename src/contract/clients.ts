import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { nullableTimestamp, timestamp } from './nullable.ts'

/** Maximum number of units in a plan or grant. */
const UNITS_MAXIMUM = 2_000_000_000
const RATE_MAXIMUM = 2_000_000_000

const plan = {
  name: Type.String({ minLength: 1, maxLength: 200, description: 'Display name.', examples: ['Acme Capital'] }),
  plan: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the plan.' }),
  units_per_period: Type.Integer({
    minimum: 0,
    maximum: UNITS_MAXIMUM,
    description: 'Units granted at the start of each period.',
  }),
  period: Type.String({
    maxLength: 100,
    description: 'Length of a period, as a PostgreSQL interval. A change takes effect with the next period.',
    examples: ['1 month', '30 days'],
  }),
  overage_allowed: Type.Boolean({ description: 'Whether the balance may go below zero.' }),
  reads_per_minute: Type.Integer({ minimum: 1, maximum: RATE_MAXIMUM, description: 'Maximum reads per minute.' }),
  submits_per_minute: Type.Integer({
    minimum: 1,
    maximum: RATE_MAXIMUM,
    description: 'Maximum submissions per minute.',
  }),
}

/** A client of the service, with its plan and balance. */
export const ServiceClient = named(
  'ServiceClient',
  Type.Object({
    client_id: Type.String({ description: 'Client ID.' }),
    ...plan,
    trial_ends_at: nullableTimestamp('End of the trial; null if the client is not on trial.'),
    units_remaining: Type.Integer({ description: 'Current balance; may be negative if overage is allowed.' }),
    units_used_this_period: Type.Integer({ description: 'Charges minus refunds in this period.' }),
    created_at: timestamp('When the client was created.'),
  }),
)
export type ServiceClient = Static<typeof ServiceClient>

export const ServiceClientList = named(
  'ServiceClientList',
  Type.Object({ clients: Type.Array(ServiceClient, { description: 'All clients, ordered by ID.' }) }),
)
export type ServiceClientList = Static<typeof ServiceClientList>

export const ClientUpdate = named(
  'ClientUpdate',
  Type.Object(
    {
      ...Type.Partial(Type.Object(plan)).properties,
      trial_ends_at: Type.Optional(
        Type.Union([Type.String({ format: 'date-time' }), Type.Literal('never')], {
          description: 'End of the trial, after which requests are rejected; `never` removes this limit.',
        }),
      ),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
)
export type ClientUpdate = Static<typeof ClientUpdate>

export const UnitGrant = named(
  'UnitGrant',
  Type.Object(
    {
      units: Type.Integer({
        minimum: -UNITS_MAXIMUM,
        maximum: UNITS_MAXIMUM,
        description: 'Units to grant in addition to the plan; negative to withdraw granted units. Not 0.',
        examples: [5000],
      }),
      reason: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Reason, shown to the client in the ledger.',
      }),
    },
    { additionalProperties: false },
  ),
)
export type UnitGrant = Static<typeof UnitGrant>

export const UnitsGranted = named(
  'UnitGrantResult',
  Type.Object({
    client_id: Type.String({ description: 'Client ID.' }),
    units: Type.Integer({ description: 'Granted units.' }),
    units_remaining: Type.Integer({ description: 'Balance after the grant.' }),
  }),
)
export type UnitsGranted = Static<typeof UnitsGranted>
