import type { FastifyRequest } from 'fastify'
import {
  DiscoverSignals,
  EnrichBatch,
  EnrichCompany,
  EnrichPerson,
  IdempotencyHeaders,
  SearchLeadership,
  SubmissionReply,
} from '../../contract/enrichment.ts'
import { planCompany } from '../../tasks/plans/plan-company.ts'
import { planBatch, planLeadership, planSignals } from '../../tasks/plans/plan-lists.ts'
import { planPerson } from '../../tasks/plans/plan-person.ts'
import type { Submission } from '../../tasks/submit.ts'
import { submitTask } from '../../tasks/submit.ts'
import type { App, AppDeps } from '../deps.ts'
import { requestIdempotency } from '../idempotency-key.ts'
import { errorReplies } from '../plugins/documented-errors.ts'

/** Paid requests. Each is answered with a task to poll; `submitTask` charges, and everything or nothing is done. */
export function enrichRoutes(app: App, deps: AppDeps): void {
  const { clock, receivers, freshDays } = deps
  const schema = {
    tags: ['enrichment'],
    headers: IdempotencyHeaders,
    response: { 200: SubmissionReply, ...errorReplies(402) },
  }
  const submit = (request: FastifyRequest, plan: Submission['plan']) =>
    submitTask(deps, { clientId: request.caller.clientId, idempotency: requestIdempotency(request), plan })
  const checkCallback = ({ callback_url }: { callback_url?: string | undefined }) => {
    if (callback_url !== undefined) receivers.check(callback_url)
  }

  app.post(
    '/v2/enrich/company',
    {
      schema: {
        ...schema,
        operationId: 'enrichCompany',
        summary: 'Enrich a company: 1 unit, +5 with leadership, +3 with signals',
        body: EnrichCompany,
      },
    },
    async (request) => {
      checkCallback(request.body)
      return await submit(request, planCompany(request.body, freshDays))
    },
  )

  app.post(
    '/v2/enrich/person',
    { schema: { ...schema, operationId: 'enrichPerson', summary: 'Enrich a person: 1 unit', body: EnrichPerson } },
    async (request) => await submit(request, planPerson(request.body, freshDays, clock.now())),
  )

  app.post(
    '/v2/enrich/batch',
    {
      schema: {
        ...schema,
        operationId: 'enrichBatch',
        summary: 'Enrich many companies and persons: 1 unit each',
        body: EnrichBatch,
      },
    },
    async (request) => {
      const plan = planBatch(request.body)
      return await submit(request, async () => plan)
    },
  )

  app.post(
    '/v2/search/leadership',
    {
      schema: {
        ...schema,
        operationId: 'searchLeadership',
        summary: 'Find the leadership of companies: 5 units each',
        body: SearchLeadership,
      },
    },
    async (request) => {
      checkCallback(request.body)
      const plan = planLeadership(request.body)
      return await submit(request, async () => plan)
    },
  )

  app.post(
    '/v2/discover/signals',
    {
      schema: {
        ...schema,
        operationId: 'discoverSignals',
        summary: 'Find buying signals of companies in the news: 3 units each',
        body: DiscoverSignals,
      },
    },
    async (request) => {
      checkCallback(request.body)
      const plan = planSignals(request.body)
      return await submit(request, async () => plan)
    },
  )
}
