import { Type } from 'typebox'
import {
  QuarantinePage,
  QuarantineQuery,
  SnapshotList,
  SnapshotManifest,
  WarehouseChecks,
  WarehouseComparisons,
} from '../../contract/warehouse-trust.ts'
import type { App } from '../deps.ts'
import { errorReplies } from '../plugins/documented-errors.ts'
import type { Warehouse } from '../warehouse.ts'

const tags = ['warehouse']
const SnapshotPath = Type.Object({ snapshot_id: Type.String({ pattern: '^[\\w-]{1,60}$' }) })

/** Routes for verifying the warehouse: checks, comparisons, rejected records and snapshots. */
export function warehouseTrustRoutes(api: App, warehouse: Warehouse): void {
  const config = { scope: 'warehouse' } as const

  api.get(
    '/v2/warehouse/checks',
    {
      config,
      schema: {
        tags,
        operationId: 'listWarehouseChecks',
        summary: 'List checks',
        description:
          'Returns the latest result for each warehouse invariant and for each expectation in the settings. To check again, start a run of `checks`; each check reads whole tables.',
        response: { 200: WarehouseChecks },
      },
    },
    async () => await warehouse.listChecks(),
  )

  api.get(
    '/v2/warehouse/comparisons',
    {
      config,
      schema: {
        tags,
        operationId: 'listWarehouseComparisons',
        summary: 'List comparisons with the service',
        description:
          'Returns the latest comparison of each dataset. To compare again, start a run of `verify-firms`; to repair differences, start a run of `repair-firms` (likewise for members and history).',
        response: { 200: WarehouseComparisons },
      },
    },
    async () => await warehouse.listComparisons(),
  )

  api.get(
    '/v2/warehouse/quarantine',
    {
      config,
      schema: {
        tags,
        operationId: 'listQuarantine',
        summary: 'List rejected records',
        description: 'Returns records that the warehouse could not store, as received, with the reason.',
        querystring: QuarantineQuery,
        response: { 200: QuarantinePage },
      },
    },
    async ({ query }) => await warehouse.listQuarantine(query),
  )

  api.get(
    '/v2/warehouse/snapshots',
    {
      config,
      schema: {
        tags,
        operationId: 'listSnapshots',
        summary: 'List snapshots',
        description: 'Returns the complete snapshots, newest first.',
        response: { 200: SnapshotList },
      },
    },
    async () => await warehouse.listSnapshots(),
  )

  api.get(
    '/v2/warehouse/snapshots/:snapshot_id',
    {
      config,
      schema: {
        tags,
        operationId: 'getSnapshot',
        summary: 'Get the manifest of a snapshot',
        description: 'Returns the tables with their rows, columns, files and checksums.',
        params: SnapshotPath,
        response: { 200: SnapshotManifest, ...errorReplies(404) },
      },
    },
    async ({ params }) => await warehouse.readSnapshot(params.snapshot_id),
  )
}
