import { Type } from 'typebox'
import { requireScope } from '../../auth/scopes.ts'
import type { QuoteRequest } from '../../contract/enrichment.ts'
import {
  Quote,
  QuoteDetails,
  QuoteQuery,
  QuoteRequest as QuoteRequestSchema,
  SubmissionReply,
} from '../../contract/enrichment.ts'
import { AppError } from '../../lib/errors.ts'
import { describeQuote } from '../../tasks/describe-quote.ts'
import { planCompany } from '../../tasks/plans/plan-company.ts'
import { planBatch, planLeadership, planSignals } from '../../tasks/plans/plan-lists.ts'
import { planPerson } from '../../tasks/plans/plan-person.ts'
import { planTal } from '../../tasks/plans/plan-tal.ts'
import { readQuote } from '../../tasks/purchase.ts'
import { createQuote } from '../../tasks/quote.ts'
import type { Submission } from '../../tasks/submit.ts'
import { submitTask } from '../../tasks/submit.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { errorReplies } from '../plugins/documented-errors.ts'
import { deleteNulls } from '../plugins/lenient-input.ts'

const tags = ['enrichment']
const Path = Type.Object({ quote_id: Type.String() })

/**
 * Routes for quotes and their purchase. A caller without the `enrich` scope can prepare a request that another caller
 * purchases.
 */
export function quoteRoutes(app: App, deps: AppDeps): void {
  app.post(
    '/v2/quotes',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'createQuote',
        summary: 'Quote an enrichment',
        description:
          'Stores an enrichment request with its current cost, and returns a quote that can be purchased for an hour. Charges nothing. A `callback_url` requires the `enrich` scope. talhouse extension.',
        body: QuoteRequestSchema,
        response: { 200: Quote },
      },
    },
    async (request) => {
      const { caller, body } = request
      for (const quoted of Object.values(body)) deleteNulls(quoted)
      if (body.list?.dry_run)
        throw new AppError(
          'unprocessable',
          'A quote is free of charge. Omit `dry_run`, so that the quote can be purchased.',
        )
      const { callback_url } = body.company ?? body.leadership ?? body.signals ?? {}
      if (callback_url !== undefined) {
        // Receiving notifications requires the same scope as the purchase.
        requireScope(caller, 'enrich')
        deps.receivers.check(callback_url)
      }
      return await createQuote(deps.db, {
        clientId: caller.clientId,
        keyId: caller.keyId,
        request: body,
        plan: planOf(body, caller.clientId, deps.freshDays),
      })
    },
  )

  app.get(
    '/v2/quotes/:quote_id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'getQuote',
        summary: 'Get a quote',
        description:
          'Returns the quoted request, the state of the quote, and the companies and persons that a purchase would enrich now, with their cost. Free. talhouse extension.',
        params: Path,
        querystring: QuoteQuery,
        response: { 200: QuoteDetails, ...errorReplies(404) },
      },
    },
    async ({ caller: { clientId }, params, query }) => {
      const quote = await readQuote(deps.db, clientId, params.quote_id)
      const plan = planOf(quote.request, clientId, deps.freshDays)
      return await describeQuote(deps.db, { clientId, quote, plan, ...query })
    },
  )

  app.post(
    '/v2/quotes/:quote_id/purchase',
    {
      config: { scope: 'enrich' },
      schema: {
        tags,
        operationId: 'purchaseQuote',
        summary: 'Purchase a quote',
        description:
          'Submits the quoted enrichment and charges at most the quoted number of units. A repeated purchase returns the same response and is charged once. talhouse extension.',
        params: Path,
        response: { 200: SubmissionReply, ...errorReplies(402, 404, 409) },
      },
    },
    async (request) => {
      const { clientId } = request.caller
      const quote = await readQuote(deps.db, clientId, request.params.quote_id)
      const plan = planOf(quote.request, clientId, deps.freshDays)
      return await submitTask(deps, { clientId, idempotency: null, quote, actor: actorOf(request), plan })
    },
  )
}

function planOf(request: QuoteRequest, clientId: string, freshDays: number): Submission['plan'] {
  const { company, person, batch, leadership, signals, list } = request
  const plans: Submission['plan'][] = [
    ...(company ? [planCompany(company, freshDays)] : []),
    ...(person ? [planPerson(person, freshDays)] : []),
    ...(batch ? [async () => planBatch(batch)] : []),
    ...(leadership ? [async () => planLeadership(leadership)] : []),
    ...(signals ? [async () => planSignals(signals)] : []),
    ...(list ? [planTal({ clientId, body: list, freshDays })] : []),
  ]
  const [plan, another] = plans
  if (plan === undefined || another !== undefined)
    throw new AppError(
      'unprocessable',
      'Send exactly one of `company`, `person`, `batch`, `leadership`, `signals` and `list`, set to the body of the paid request.',
    )
  return plan
}
