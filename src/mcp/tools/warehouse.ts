import { Type } from 'typebox'
import type { WarehouseOverview } from '../../contract/warehouse.ts'
import type { WarehouseDictionary, WarehouseQueryResult } from '../../contract/warehouse-query.ts'
import { QUERY_ROWS_MAXIMUM, WarehouseQuery } from '../../contract/warehouse-query.ts'
import { AppError } from '../../lib/errors.ts'
import type { Tool } from '../tool.ts'
import { tool } from '../tool.ts'

const closed = { additionalProperties: false } as const
const ROWS = 100
/** Timeout in milliseconds, longer than the 60 seconds after which the service cancels a query. */
const QUERY_TIMEOUT = 65_000

/**
 * Tools that read the warehouse. These tools require the `warehouse` scope; SQL queries also require the `contacts`
 * scope.
 */
export const WAREHOUSE_TOOLS: readonly Tool[] = [
  tool({
    name: 'get_freshness',
    title: 'Get freshness',
    description:
      'Returns the latest run of each pipeline, the freshness of the target account list after the latest nightly run, and the units due on each of the upcoming nights. Free.',
    parameters: Type.Object({}, closed),
    isUntrusted: true,
    run: async (client, _args, signal) => {
      const path = '/v2/warehouse/overview'
      const overview = await client.request<WarehouseOverview>({ method: 'GET', path }, { signal })
      const { pipelines, freshness, forecast, target_share, open_quarantine, now } = overview
      return { now, pipelines, freshness: freshness.at(-1) ?? null, forecast, target_share, open_quarantine }
    },
  }),
  tool({
    name: 'list_tables',
    title: 'List tables',
    description: 'Lists the tables and views of the warehouse, or the columns of a table or view. Free.',
    parameters: Type.Object(
      {
        table: Type.Optional(
          Type.String({ maxLength: 100, description: 'Name of a table or view, such as warehouse.company.' }),
        ),
      },
      closed,
    ),
    isUntrusted: false,
    run: async (client, { table }, signal) => {
      const path = '/v2/warehouse/tables'
      const { tables, functions } = await client.request<WarehouseDictionary>({ method: 'GET', path }, { signal })
      if (table === undefined)
        return { tables: tables.map(({ name, kind, comment }) => ({ name, kind, comment })), functions }
      const found = tables.find(({ name }) => name === table.replace(/^warehouse\./, ''))
      if (!found) throw new AppError('not_found', `Table ${table} not found. Call list_tables without arguments.`)
      return found
    },
  }),
  tool({
    name: 'query_warehouse',
    title: 'Query the warehouse',
    description:
      'Runs one read-only SQL statement (PostgreSQL) against the `warehouse` schema, for at most 60 seconds. Call list_tables first. Free.',
    parameters: Type.Object(
      {
        sql: WarehouseQuery.properties.sql,
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: QUERY_ROWS_MAXIMUM, default: ROWS, description: 'Maximum rows.' }),
        ),
      },
      closed,
    ),
    isUntrusted: true,
    run: async (client, args, signal) =>
      await client.request<WarehouseQueryResult>(
        { method: 'POST', path: '/v2/warehouse/query', body: { limit: ROWS, ...args }, repeatable: true },
        { signal, timeout: QUERY_TIMEOUT },
      ),
  }),
]
