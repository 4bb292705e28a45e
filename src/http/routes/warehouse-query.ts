import { WarehouseDictionary, WarehouseQuery, WarehouseQueryResult } from '../../contract/warehouse-query.ts'
import { AppError } from '../../lib/errors.ts'
import type { App } from '../deps.ts'
import { errorReplies } from '../plugins/documented-errors.ts'
import type { Warehouse } from '../warehouse.ts'

const tags = ['warehouse']

/** Routes for SQL queries against the warehouse. */
export function warehouseQueryRoutes(api: App, warehouse: Warehouse): void {
  api.get(
    '/v2/warehouse/tables',
    {
      config: { scope: 'warehouse' },
      schema: {
        tags,
        operationId: 'getWarehouseTables',
        summary: 'Get the data dictionary',
        description: 'Returns the tables, columns and functions that analysts can use, with descriptions.',
        response: { 200: WarehouseDictionary },
      },
    },
    async () => await warehouse.readDictionary(),
  )

  api.post(
    '/v2/warehouse/query',
    {
      config: { scope: ['warehouse', 'contacts'], rateClass: 'read' },
      schema: {
        tags,
        operationId: 'queryWarehouse',
        summary: 'Query the warehouse',
        description:
          'Runs one statement with the permissions of the analyst role, for at most 60 seconds. Closing the connection cancels the statement.',
        body: WarehouseQuery,
        response: { 200: WarehouseQueryResult, ...errorReplies(422) },
      },
    },
    async ({ body }, { raw }) => {
      const left = new AbortController()
      const leave = () => left.abort(new AppError('interrupted', 'The client closed the connection.'))
      raw.once('close', leave)
      try {
        return await warehouse.runQuery(body, left.signal)
      } finally {
        raw.off('close', leave)
      }
    },
  )
}
