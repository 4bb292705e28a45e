import { Type } from 'typebox'
import { audited } from '../../audit/audit-log.ts'
import { Backfill, BackfillList, BackfillPlan } from '../../contract/warehouse-backfills.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { errorReplies } from '../plugins/documented-errors.ts'
import type { Warehouse } from '../warehouse.ts'

const tags = ['warehouse']
const params = Type.Object({ backfill_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) })

/** Routes for backfills of data that nightly runs missed. */
export function warehouseBackfillRoutes(api: App, { db }: AppDeps, warehouse: Warehouse): void {
  const config = { scope: 'admin' } as const

  api.get(
    '/v2/warehouse/backfills',
    {
      config: { scope: 'warehouse' },
      schema: {
        tags,
        operationId: 'listBackfills',
        summary: 'List backfills',
        description: 'Returns backfills with their estimated and actual cost, newest first.',
        response: { 200: BackfillList },
      },
    },
    async () => await warehouse.listBackfills(),
  )

  api.post(
    '/v2/warehouse/backfills',
    {
      config,
      schema: {
        tags,
        operationId: 'planBackfill',
        summary: 'Plan a backfill',
        description: 'Estimates the requests and the duration of a backfill, and saves it as a plan. Starts nothing.',
        body: BackfillPlan,
        response: { 200: Backfill },
      },
    },
    async (request) => {
      const change = { action: 'backfill.plan', target: request.body.dataset }
      return await audited(db, actorOf(request), change, () => warehouse.createBackfill(request.body))
    },
  )

  api.post(
    '/v2/warehouse/backfills/:backfill_id/start',
    {
      config,
      schema: {
        tags,
        operationId: 'startBackfill',
        summary: 'Start a backfill',
        description:
          'Requests the start of a planned backfill, or resumes a backfill that is paused or has failed parts.',
        params,
        response: { 200: Backfill, ...errorReplies(404, 409) },
      },
    },
    async (request) => {
      const { backfill_id } = request.params
      const change = { action: 'backfill.start', target: String(backfill_id) }
      return await audited(db, actorOf(request), change, () => warehouse.startBackfill(backfill_id))
    },
  )

  api.post(
    '/v2/warehouse/backfills/:backfill_id/pause',
    {
      config,
      schema: {
        tags,
        operationId: 'pauseBackfill',
        summary: 'Pause a backfill',
        description: 'Pauses a backfill once its current part is complete.',
        params,
        response: { 200: Backfill, ...errorReplies(404, 409) },
      },
    },
    async (request) => {
      const { backfill_id } = request.params
      const change = { action: 'backfill.pause', target: String(backfill_id) }
      return await audited(db, actorOf(request), change, () => warehouse.pauseBackfill(backfill_id))
    },
  )
}
