/**
 * The responses of any host that implements the interface. A field is required only if the interface guarantees it and
 * the pipelines need it. List items are validated later, so that one invalid item does not invalidate the page.
 */
import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'

/** A host may omit a value or send null. */
const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))

/** These fields are optional, because the interface does not define them for all lists. */
const envelope = {
  total: Type.Optional(Type.Unknown()),
  limit: Type.Optional(Type.Unknown()),
  offset: Type.Optional(Type.Unknown()),
}

export const AnyRecord = Type.Record(Type.String(), Type.Unknown())
export type AnyRecord = Static<typeof AnyRecord>

export const AnyPersons = Type.Object({ persons: Type.Array(Type.Unknown()), ...envelope })
export type AnyPersons = Static<typeof AnyPersons>

/** A talhouse extension, so all fields are required. */
export const AnyCompanyBatch = Type.Object({ companies: Type.Array(AnyRecord) })
export type AnyCompanyBatch = Static<typeof AnyCompanyBatch>

/** A talhouse extension, so all fields are required. */
export const AnyPersonBatch = Type.Object({
  companies: Type.Array(
    Type.Object({ domain: Type.String(), persons: Type.Array(Type.Unknown()), total: Type.Integer() }),
  ),
})
export type AnyPersonBatch = Static<typeof AnyPersonBatch>

export const AnyEvents = Type.Object({ events: Type.Array(Type.Unknown()), ...envelope })
export type AnyEvents = Static<typeof AnyEvents>

/** `next_cursor` is a talhouse extension. */
export const AnyCompanies = Type.Object({
  companies: Type.Array(Type.Unknown()),
  ...envelope,
  next_cursor: Type.Optional(Type.Unknown()),
})
export type AnyCompanies = Static<typeof AnyCompanies>

/** `as_of` and `data_version` are talhouse extensions. */
export const AnyFirmPage = Type.Object({
  data: Type.Array(Type.Unknown()),
  total_count: optional(Type.Integer({ minimum: 0 })),
  as_of: optional(Type.String()),
  data_version: optional(Type.String()),
})
export type AnyFirmPage = Static<typeof AnyFirmPage>

/**
 * The response to a submission. All fields are optional, because the interface does not define the response to a dry
 * run.
 */
export const AnySubmission = Type.Object({
  task_id: optional(Type.String()),
  units_charged: optional(Type.Number()),
  units_required: optional(Type.Number()),
  companies_to_enrich: optional(Type.Number()),
})
export type AnySubmission = Static<typeof AnySubmission>

export const AnyTask = Type.Object({
  id: Type.String(),
  task_type: optional(Type.String()),
  status: Type.String(),
  created_at: Type.Optional(Type.Unknown()),
  completed_at: Type.Optional(Type.Unknown()),
  progress: Type.Optional(Type.Unknown()),
  units_refunded: optional(Type.Number()),
  input_data: Type.Optional(Type.Unknown()),
})
export type AnyTask = Static<typeof AnyTask>

export const AnyTasks = Type.Object({ tasks: Type.Array(AnyTask) })

export const AnyUsage = Type.Object({
  units_remaining: Type.Number(),
  overage_allowed: optional(Type.Boolean()),
})
export type AnyUsage = Static<typeof AnyUsage>

/** This endpoint is a talhouse extension, so all fields are required. */
export const AnyErasures = Type.Object({
  hmac_key: Type.String({ pattern: '^([0-9a-f]{2})+$' }),
  erasures: Type.Array(
    Type.Object({
      erasure_id: Type.Integer(),
      position: Type.Integer(),
      lifted_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      macs: Type.Array(Type.String()),
    }),
  ),
  limit: Type.Integer(),
})
export type AnyErasures = Static<typeof AnyErasures>

/** A talhouse extension. */
export const AnyLedgerLines = Type.Object({
  ledger_id: Type.String(),
  lines: Type.Array(
    Type.Object({
      entry_id: Type.Integer(),
      item: Type.Integer(),
      kind: Type.String(),
      units: Type.Integer(),
      task_id: optional(Type.String()),
      task_type: optional(Type.String()),
      entity: optional(Type.String()),
      domain: optional(Type.String()),
      groups: Type.Optional(Type.Array(Type.String())),
      reason: optional(Type.String()),
      created_at: Type.String(),
    }),
  ),
})
export type AnyLedgerLines = Static<typeof AnyLedgerLines>
