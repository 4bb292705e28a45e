import { Stats } from '../../contract/stats.ts'
import { readCounts } from '../../stats/record-counts.ts'
import type { App, AppDeps } from '../deps.ts'

/** How much there is, over all clients. Free. */
export function statsRoutes(api: App, { db }: AppDeps): void {
  api.get(
    '/v2/stats',
    {
      schema: {
        tags: ['stats'],
        operationId: 'getStats',
        summary: 'Count companies and persons',
        response: { 200: Stats },
      },
    },
    () => readCounts(db),
  )
}
