import { audited } from '../../audit/audit-log.ts'
import { Budget, BudgetUpdate } from '../../contract/warehouse-budget.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import type { Warehouse } from '../warehouse.ts'

/** Routes for the nightly budget. */
export function warehouseBudgetRoutes(api: App, { db }: AppDeps, warehouse: Warehouse): void {
  const tags = ['warehouse']
  const url = '/v2/warehouse/budget'

  api.get(
    url,
    {
      config: { scope: 'warehouse' },
      schema: {
        tags,
        operationId: 'getBudget',
        summary: 'Get the nightly budget',
        description:
          'Returns the maximum number of units spent per night, and the number of units that nightly runs must not spend.',
        response: { 200: Budget },
      },
    },
    async () => await warehouse.readBudget(),
  )

  api.post(
    url,
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        operationId: 'setBudget',
        summary: 'Set the nightly budget',
        description:
          'Replaces the budget from the settings (`pipelines.enrich`), starting with the next submission. `DELETE` restores it.',
        body: BudgetUpdate,
        response: { 200: Budget },
      },
    },
    async (request) => {
      const change = { action: 'budget.set', target: 'nights', details: () => request.body }
      return await audited(db, actorOf(request), change, () => warehouse.setBudget(request.body))
    },
  )

  api.delete(
    url,
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        operationId: 'resetBudget',
        summary: 'Reset the nightly budget',
        description: 'Restores the budget from the settings (`pipelines.enrich`).',
        response: { 200: Budget },
      },
    },
    async (request) => {
      const change = { action: 'budget.reset', target: 'nights' }
      return await audited(db, actorOf(request), change, () => warehouse.setBudget(null))
    },
  )
}
