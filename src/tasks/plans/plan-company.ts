import { normalizeDomain } from '../../companies/normalize-domain.ts'
import type { EnrichCompany } from '../../contract/enrichment.ts'
import type { TaskType } from '../../contract/tasks.ts'
import type { Db } from '../../db/database.ts'
import type { FieldGroup } from '../../findings/provider.ts'
import { companyCost } from '../../units/costs.ts'
import { freshCompanies } from '../fresh-companies.ts'
import type { TaskPlan } from '../submit.ts'

/** Plans one company. Enriching a fresh company is free and completes immediately, unless the request is forced. */
export function planCompany(request: EnrichCompany, freshDays: number): (trx: Db) => Promise<TaskPlan> {
  const domain = normalizeDomain(request.domain)
  const groups: FieldGroup[] = ['company']
  if (request.include_leadership) groups.push('leadership')
  if (request.include_signals) groups.push('signals')
  const taskType = typeOf(request)
  return async (trx) => {
    const fresh = !request.force && (await freshCompanies(trx, [domain], groups, freshDays)).has(domain)
    const item = { entity: 'company', groups, domain, input: {} } as const
    return {
      taskType,
      input: request,
      callbackUrl: request.callback_url ?? null,
      items: [
        fresh
          ? { ...item, cost: 0, completed: { outcome: 'fresh', output: {} } }
          : { ...item, cost: companyCost(groups) },
      ],
      message: fresh
        ? `${domain} is fresh, so no units were charged. Send "force": true to enrich it again.`
        : `${domain} will be enriched. Poll the task.`,
    }
  }
}

function typeOf({ include_leadership, include_signals }: EnrichCompany): TaskType {
  if (include_leadership && include_signals) return 'enrich_company_with_leadership_and_signals'
  if (include_leadership) return 'enrich_company_with_leadership'
  return include_signals ? 'enrich_company_with_signals' : 'enrich_company'
}
