import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { nullableText, nullableTimestamp, timestamp } from './nullable.ts'
import { RejectedRecord } from './warehouse.ts'

export const WarehouseChecks = named(
  'WarehouseChecks',
  Type.Object({
    checks: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String({ description: 'The invariant.' }),
        kind: Type.Enum(['check', 'expectation', 'note'], {
          description:
            '`check`: a built-in invariant. `expectation`: an expectation defined in the settings. `note`: a query whose rows are informational, not violations.',
        }),
        failures: Type.Integer({ description: 'Number of rows that violate the invariant.' }),
        examples: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
          description: 'At most three of the rows that violate the invariant.',
        }),
        error: nullableText('Why the query failed. Null if it succeeded.'),
        seconds: Type.Number({ description: 'Duration of the check.' }),
        checked_at: timestamp('When the check ran.'),
      }),
    ),
  }),
)
export type WarehouseChecks = Static<typeof WarehouseChecks>

export const WarehouseComparison = named(
  'WarehouseComparison',
  Type.Object({
    dataset: Type.Enum(['firms', 'members', 'history']),
    verified_at: timestamp('End of the comparison.'),
    repaired_at: nullableTimestamp('When the differences were repaired.'),
    requests: Type.Integer({ description: 'Requests sent to the service.' }),
    total: Type.Integer({ description: 'Number of differences.' }),
    differences: Type.Array(
      Type.Object({
        kind: Type.Enum(['missing', 'extra', 'differs'], {
          description: '`missing`: only the service has the record. `extra`: only the warehouse has the record.',
        }),
        entity: Type.String(),
        key: Type.String({ description: 'SEC number of a firm, or domain of a member.' }),
        record: Type.Optional(Type.String({ description: 'Key of the person, signal or event.' })),
        fields: Type.Optional(Type.Array(Type.String())),
      }),
      { description: 'The first differences, at most 200.' },
    ),
  }),
)
export type WarehouseComparison = Static<typeof WarehouseComparison>

export const WarehouseComparisons = named(
  'WarehouseComparisons',
  Type.Object({
    comparisons: Type.Array(WarehouseComparison, { description: 'The latest comparison of each dataset.' }),
  }),
)
export type WarehouseComparisons = Static<typeof WarehouseComparisons>

export const QuarantineQuery = Type.Object(
  {
    resolved: Type.Boolean({ default: false, description: 'Return resolved instead of unresolved records.' }),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    offset: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }),
  },
  { additionalProperties: false },
)
export type QuarantineQuery = Static<typeof QuarantineQuery>

export const QuarantinePage = named(
  'QuarantinePage',
  Type.Object({
    records: Type.Array(RejectedRecord, { description: 'Last received first.' }),
    has_more: Type.Boolean(),
  }),
)
export type QuarantinePage = Static<typeof QuarantinePage>

export const SnapshotSummary = named(
  'SnapshotSummary',
  Type.Object({
    id: Type.String(),
    created_at: timestamp('When the export ended.'),
    tables: Type.Integer(),
    rows: Type.Integer(),
    bytes: Type.Integer({ description: 'Compressed size.' }),
    variant: Type.Enum(['exact', 'spreadsheet']),
    latest: Type.Boolean(),
  }),
)

export const SnapshotList = named(
  'SnapshotList',
  Type.Object({
    snapshots: Type.Array(SnapshotSummary, { description: 'Complete snapshots, newest first.' }),
    damaged: Type.Array(Type.String(), { description: 'IDs of snapshots whose manifest is damaged.' }),
  }),
)
export type SnapshotList = Static<typeof SnapshotList>

export const SnapshotManifest = named(
  'SnapshotManifest',
  Type.Object({
    id: Type.String(),
    number: Type.Integer({ description: 'Sequence number of the snapshot.' }),
    created_at: timestamp('When the export ended.'),
    tables: Type.Array(
      Type.Object({
        name: Type.String(),
        rows: Type.Integer(),
        columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
        primary_key: Type.Array(Type.String()),
        parts: Type.Array(Type.Object({ key: Type.String(), bytes: Type.Integer(), sha256: Type.String() })),
      }),
    ),
    watermarks: Type.Record(Type.String(), Type.String(), { description: 'Lowest watermark of each pipeline.' }),
  }),
)
export type SnapshotManifest = Static<typeof SnapshotManifest>
