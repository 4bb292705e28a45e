import type { DiscoverSignals, EnrichBatch, SearchLeadership } from '../../contract/enrichment.ts'
import { AppError } from '../../lib/errors.ts'
import { pluralize } from '../../lib/pluralize.ts'
import { COMPANY_COST, LEADERSHIP_COST, SIGNALS_COST } from '../../units/costs.ts'
import type { PlannedItem } from '../insert-task.ts'
import type { TaskPlan } from '../submit.ts'
import { personItem } from './plan-person.ts'
import { requestedDomains } from './requested-domains.ts'

// These task types have no `force` parameter. Such tasks always query the sources and are always charged. Duplicate
// domains are charged once.

export function planBatch(request: EnrichBatch): TaskPlan {
  const domains = requestedDomains(request.domains ?? [])
  const emails = [...new Set((request.emails ?? []).map((email) => email.trim().toLowerCase()))]
  if (domains.length + emails.length === 0)
    throw new AppError('unprocessable', 'Send at least one domain or email address.')
  const companies = domains.map(
    (domain): PlannedItem => ({ entity: 'company', groups: ['company'], domain, input: {}, cost: COMPANY_COST }),
  )
  return {
    taskType: 'enrich_batch',
    input: request,
    callbackUrl: null,
    items: [...companies, ...emails.map((email) => personItem({ email }))],
    message: `${pluralize(domains.length, 'company', 'companies')} and ${pluralize(emails.length, 'person')} will be enriched. Poll the task.`,
  }
}

export function planLeadership(request: SearchLeadership): TaskPlan {
  const { max_per_company, enrich_via_social } = request
  const input = { max_per_company, enrich_via_social }
  const items = requestedDomains(request.domains).map(
    (domain): PlannedItem => ({ entity: 'company', groups: ['leadership'], domain, input, cost: LEADERSHIP_COST }),
  )
  return {
    taskType: 'leadership_search',
    input: request,
    callbackUrl: request.callback_url ?? null,
    items,
    message: `The leadership of ${pluralize(items.length, 'company', 'companies')} will be searched. Poll the task.`,
  }
}

export function planSignals(request: DiscoverSignals): TaskPlan {
  const { max_articles_per_company } = request
  const input = { max_articles_per_company }
  const items = requestedDomains(request.domains).map(
    (domain): PlannedItem => ({ entity: 'company', groups: ['signals'], domain, input, cost: SIGNALS_COST }),
  )
  return {
    taskType: 'signal_discovery',
    input: request,
    callbackUrl: request.callback_url ?? null,
    items,
    message: `Signals about ${pluralize(items.length, 'company', 'companies')} will be searched. Poll the task.`,
  }
}
