import { Type } from 'typebox'
import { audited } from '../../audit/audit-log.ts'
import {
  RunRequested,
  StartRun,
  WarehouseOverview,
  WarehouseRun,
  WarehouseRunDetails,
  WarehouseRunPage,
  WarehouseRunQuery,
} from '../../contract/warehouse.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { errorReplies } from '../plugins/documented-errors.ts'
import type { Warehouse } from '../warehouse.ts'

const RunPath = Type.Object({ run_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) })

/** Routes for the warehouse's state and its pipeline runs. */
export function warehouseRoutes(api: App, deps: AppDeps, warehouse: Warehouse): void {
  const { db } = deps
  const tags = ['warehouse']
  const config = { scope: 'warehouse' } as const

  api.get(
    '/v2/warehouse/overview',
    {
      config,
      schema: {
        tags,
        operationId: 'getWarehouseOverview',
        summary: 'Get the state of the warehouse',
        description: 'Returns the latest runs, freshness by night, the units forecast, and the next scheduled times.',
        response: { 200: WarehouseOverview },
      },
    },
    async () => await warehouse.readOverview(),
  )

  api.get(
    '/v2/warehouse/runs',
    {
      config,
      schema: {
        tags,
        operationId: 'listWarehouseRuns',
        summary: 'List runs',
        description: 'Returns runs of pipelines, newest first. Pass the smallest ID as `before` for the next page.',
        querystring: WarehouseRunQuery,
        response: { 200: WarehouseRunPage },
      },
    },
    async ({ query }) => await warehouse.listRuns(query),
  )

  api.get(
    '/v2/warehouse/runs/:run_id',
    {
      config,
      schema: {
        tags,
        operationId: 'getWarehouseRun',
        summary: 'Get a run',
        description: 'Returns a run with its steps and the records it rejected.',
        params: RunPath,
        response: { 200: WarehouseRunDetails, ...errorReplies(404) },
      },
    },
    async ({ params }) => await warehouse.readRun(params.run_id),
  )

  api.post(
    '/v2/warehouse/runs',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        operationId: 'startWarehouseRun',
        summary: 'Start a run',
        description:
          'Requests a run of a pipeline. The scheduler starts the run within seconds. If an earlier run was interrupted, the new run resumes its work.',
        body: StartRun,
        response: { 200: RunRequested, ...errorReplies(404, 409) },
      },
    },
    async (request) => {
      const { pipeline } = request.body
      const change = { action: 'run.start', target: pipeline }
      return await audited(db, actorOf(request), change, () => warehouse.requestRun(pipeline))
    },
  )

  api.post(
    '/v2/warehouse/runs/:run_id/stop',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        operationId: 'stopWarehouseRun',
        summary: 'Stop a run',
        description:
          "Requests that a run stop. The run's process stops within seconds and keeps completed work; the next run resumes the remaining work.",
        params: RunPath,
        response: { 200: WarehouseRun, ...errorReplies(404, 409) },
      },
    },
    async (request) => {
      const { run_id } = request.params
      const change = { action: 'run.stop', target: String(run_id) }
      return await audited(db, actorOf(request), change, () => warehouse.requestStop(run_id))
    },
  )
}
