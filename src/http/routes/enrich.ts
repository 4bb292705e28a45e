import type { FastifyRequest } from 'fastify'
import { addGroups } from '../../companies/company-groups.ts'
import { normalizeDomain } from '../../companies/normalize-domain.ts'
import { readCompany } from '../../companies/read-companies.ts'
import type { CompanyGroup } from '../../contract/companies.ts'
import {
  CompanySubmission,
  DiscoverSignals,
  EnrichBatch,
  EnrichCompany,
  EnrichPerson,
  IdempotencyHeaders,
  SearchLeadership,
  SubmissionReply,
  WaitQuery,
} from '../../contract/enrichment.ts'
import { createTaskAwaiter } from '../../tasks/await-task.ts'
import { planCompany } from '../../tasks/plans/plan-company.ts'
import { planBatch, planLeadership, planSignals } from '../../tasks/plans/plan-lists.ts'
import { planPerson } from '../../tasks/plans/plan-person.ts'
import type { Submission } from '../../tasks/submit.ts'
import { submitTask } from '../../tasks/submit.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { requestIdempotency } from '../idempotency-key.ts'
import { withoutSlot } from '../plugins/concurrency.ts'
import { errorReplies } from '../plugins/documented-errors.ts'

/** Routes for paid submissions. `submitTask` charges and creates the task in one transaction. */
export function enrichRoutes(app: App, deps: AppDeps): void {
  const { receivers, freshDays } = deps
  const awaitTask = createTaskAwaiter(deps.db)
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
        description:
          'Refreshes company fields for 1 unit, plus 5 units with leadership and 3 units with signals. Fresh data is free unless the enrichment is forced; groups that are not found are refunded.',
        querystring: WaitQuery,
        body: EnrichCompany,
        response: { ...schema.response, 200: CompanySubmission },
      },
    },
    async (request): Promise<CompanySubmission> => {
      checkCallback(request.body)
      const submission = await submit(request, planCompany(request.body, freshDays))
      const { wait } = request.query
      const { clientId } = request.caller
      if (wait === undefined) return submission
      const hasEnded = await withoutSlot(request, () => awaitTask(clientId, submission.task_id, wait))
      if (!hasEnded) return submission
      const company = await readCompany(deps.db, normalizeDomain(request.body.domain), clientId)
      const groups = new Set<CompanyGroup>()
      if (request.body.include_leadership) groups.add('leadership')
      if (request.body.include_signals) groups.add('signals')
      const [full] = await addGroups(deps.db, [company], groups)
      return { ...submission, ...(full && { company: full }) }
    },
  )

  app.post(
    '/v2/enrich/person',
    {
      config: { scope: 'enrich' },
      schema: {
        ...schema,
        operationId: 'enrichPerson',
        summary: 'Enrich a person',
        description:
          'Finds a person by email, social_url, or full_name with company_domain, for 1 unit. The unit is refunded if the person is not found.',
        body: EnrichPerson,
      },
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
        description:
          'Refreshes up to 1,000 companies and 1,000 persons for 1 unit each. Items that are not found are refunded.',
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
        description:
          'Finds the most senior people of up to 10 companies for 5 units per company. Companies without a result are refunded.',
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
        description:
          'Finds buying signals in the news about up to 50 companies for 3 units per company. Companies without a result are refunded.',
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
