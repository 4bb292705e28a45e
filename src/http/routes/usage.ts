import { LedgerLinePage, LedgerLineQuery, LedgerPage, LedgerQuery, Usage } from '../../contract/usage.ts'
import { listLedger } from '../../units/ledger.ts'
import { readLedgerLines } from '../../units/ledger-lines.ts'
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
        description: "Returns the client's plan, balance and current period.",
        response: { 200: Usage },
      },
    },
    async ({ caller }) => await readUsage(db, caller.clientId),
  )

  app.get(
    '/v2/usage/ledger',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['usage'],
        operationId: 'listLedger',
        summary: 'List ledger entries',
        description:
          "Returns the client's charges, refunds, grants and period starts, newest first. talhouse extension.",
        querystring: LedgerQuery,
        response: { 200: LedgerPage },
      },
    },
    async ({ caller, query: { limit, before } }) => {
      const entries = await listLedger(db, caller.clientId, limit, before)
      return { entries, limit }
    },
  )

  app.get(
    '/v2/usage/ledger/lines',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['usage'],
        operationId: 'listLedgerLines',
        summary: 'List ledger lines',
        description:
          'Returns the ledger entries, split by company and person, oldest first. To read the ledger incrementally, pass the entry and item of the last line in the next request. talhouse extension.',
        querystring: LedgerLineQuery,
        response: { 200: LedgerLinePage },
      },
    },
    async ({ caller, query }) => await readLedgerLines(db, caller.clientId, query),
  )
}
