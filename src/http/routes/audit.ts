import { listAudit } from '../../audit/audit-log.ts'
import { AuditPage, AuditQuery } from '../../contract/audit.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'

/** Route for the audit log of the caller's client; a talhouse extension. */
export function auditRoutes(api: App, { db }: AppDeps): void {
  api.get(
    '/v2/audit',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['keys'],
        operationId: 'listAudit',
        summary: 'List changes',
        description:
          "Returns the changes made with the client's keys, newest first. Changes made on the command line are listed by `talhouse audit list`. talhouse extension.",
        querystring: AuditQuery,
        response: { 200: AuditPage },
      },
    },
    async (request) => {
      const { action, before, limit } = request.query
      const found = await listAudit(db, { actor: actorOf(request).name, action, before, limit })
      const entries = found.map(({ actor: _, details, ...entry }) => ({
        ...entry,
        details: details as Record<string, unknown>,
      }))
      return { entries, limit }
    },
  )
}
