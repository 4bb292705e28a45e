import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { nullableText } from './nullable.ts'

export const QUERY_ROWS_MAXIMUM = 10_000

/** A query against the warehouse. */
export const WarehouseQuery = named(
  'WarehouseQuery',
  Type.Object(
    {
      sql: Type.String({ minLength: 1, maxLength: 100_000, description: 'A single read-only statement.' }),
      limit: Type.Integer({ minimum: 1, maximum: QUERY_ROWS_MAXIMUM, default: 1000, description: 'Maximum rows.' }),
    },
    { additionalProperties: false },
  ),
)
export type WarehouseQuery = Static<typeof WarehouseQuery>

export const WarehouseQueryResult = named(
  'WarehouseQueryResult',
  Type.Object({
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String({ description: 'PostgreSQL type.' }),
        is_numeric: Type.Boolean(),
      }),
    ),
    rows: Type.Array(Type.Array(Type.Unknown()), {
      description: 'Values by column. Numbers with more than 15 digits are returned as text.',
    }),
    is_truncated: Type.Boolean({ description: 'Whether the result was truncated at the row limit or at 16 MB.' }),
    seconds: Type.Number(),
  }),
)
export type WarehouseQueryResult = Static<typeof WarehouseQueryResult>

export const WarehouseDictionary = named(
  'WarehouseDictionary',
  Type.Object({
    tables: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of a relation in the schema `warehouse`.' }),
        kind: Type.Enum(['table', 'view']),
        comment: nullableText('Description of the relation.'),
        columns: Type.Array(
          Type.Object({ name: Type.String(), type: Type.String(), comment: nullableText('Meaning and unit.') }),
        ),
      }),
    ),
    functions: Type.Array(
      Type.Object({ signature: Type.String(), comment: nullableText('Description of the function.') }),
    ),
  }),
)
export type WarehouseDictionary = Static<typeof WarehouseDictionary>
