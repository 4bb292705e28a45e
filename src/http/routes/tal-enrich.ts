import { Type } from 'typebox'
import { resolveClientId } from '../../auth/caller.ts'
import type { TalSubmissionReply as Reply } from '../../contract/enrichment.ts'
import { EnrichTal, IdempotencyHeaders, TalSubmissionReply } from '../../contract/enrichment.ts'
import { planTal, previewTal } from '../../tasks/plans/plan-tal.ts'
import { submitTask } from '../../tasks/submit.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { requestIdempotency } from '../idempotency-key.ts'
import { errorReplies } from '../plugins/documented-errors.ts'

export function talEnrichRoutes(app: App, deps: AppDeps): void {
  app.post(
    '/v2/clients/:client_id/tal/enrich',
    {
      config: { scope: 'enrich', optionalBody: true },
      schema: {
        tags: ['target account lists'],
        operationId: 'enrichTal',
        summary: 'Enrich a target account list',
        description: 'Enriches the stale companies on the list for 1 unit each. Set dry_run to return only the cost.',
        params: Type.Object({ client_id: Type.String() }),
        headers: IdempotencyHeaders,
        body: EnrichTal,
        response: { 200: TalSubmissionReply, ...errorReplies(402, 404) },
      },
    },
    async (request): Promise<Reply> => {
      const clientId = resolveClientId(request.caller, request.params.client_id)
      const tal = { clientId, body: request.body, freshDays: deps.freshDays }
      if (request.body.dry_run) return await previewTal(deps.db, tal)
      const submission = {
        clientId,
        idempotency: requestIdempotency(request),
        actor: actorOf(request),
        plan: planTal(tal),
      }
      return (await submitTask(deps, submission)) as Reply
    },
  )
}
