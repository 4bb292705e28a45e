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
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { requestIdempotency } from '../idempotency-key.ts'
import { errorReplies } from '../plugins/documented-errors.ts'

/** Paid submissions. `submitTask` charges and creates the task in one transaction. */
export function enrichRoutes(app: App, deps: AppDeps): void {
  const { receivers, freshDays } = deps
  const schema = {
    tags: ['enrichment'],
    headers: IdempotencyHeaders,
    response: { 200: SubmissionReply, ...errorReplies(402) },
  }
  const submit = (request: FastifyRequest, plan: Submission['plan']) =>
    submitTask(deps, {
      clientId: request.caller.clientId,
      idempotency: requestIdempotency(request),
      actor: actorOf(request),
      plan,
    })
  const checkCallback = ({ callback_url }: { callback_url?: string | undefined }) => {
    if (callback_url !== undefined) receivers.check(callback_url)
  }

  app.post(
    '/v2/enrich/company',
    {
      config: { scope: 'enrich' },
      schema: {
        ...schema,
        operationId: 'enrichCompany',
        summary: 'Enrich a company',
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
    {
      config: { scope: 'enrich' },
      schema: { ...schema, operationId: 'enrichPerson', summary: 'Enrich a person', body: EnrichPerson },
    },
    async (request) => await submit(request, planPerson(request.body, freshDays)),
  )

  app.post(
    '/v2/enrich/batch',
    {
      config: { scope: 'enrich' },
      schema: {
        ...schema,
        operationId: 'enrichBatch',
        summary: 'Enrich companies and persons in a batch',
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
      config: { scope: 'enrich' },
      schema: {
        ...schema,
        operationId: 'searchLeadership',
        summary: 'Search leadership',
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
      config: { scope: 'enrich' },
      schema: {
        ...schema,
        operationId: 'discoverSignals',
        summary: 'Discover signals',
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
