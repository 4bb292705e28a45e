import { Usage } from '../../contract/usage.ts'
import { readUsage } from '../../usage/read-usage.ts'
import type { App, AppDeps } from '../deps.ts'

export function usageRoutes(app: App, { db }: AppDeps): void {
  app.get(
    '/v2/usage',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['usage'],
        operationId: 'getUsage',
        summary: 'Get usage',
        description: 'Returns the plan, balance and period of the client.',
        response: { 200: Usage },
      },
    },
    async ({ caller }) => await readUsage(db, caller.clientId),
  )
}
