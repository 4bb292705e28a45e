import { sql } from 'kysely'
import type { EnrichTal, TalSubmissionReply } from '../../contract/enrichment.ts'
import type { Db } from '../../db/database.ts'
import { pluralize } from '../../lib/pluralize.ts'
import { currentAccount } from '../../units/account.ts'
import { COMPANY_COST } from '../../units/costs.ts'
import type { PlannedItem } from '../insert-task.ts'
import type { TaskPlan } from '../submit.ts'

export interface TalRequest {
  clientId: string
  body: EnrichTal
  /** Default age in days at which a company is stale. */
  freshDays: number
}

/**
 * Plans the enrichment of the stale companies on a client's list, one unit each. Requests from the same client are
 * serialized, so that companies already being enriched are skipped instead of charged twice.
 */
export function planTal(request: TalRequest): (trx: Db) => Promise<TaskPlan> {
  return async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('tal_enrich'), hashtext(${request.clientId}))`.execute(trx)
    const { domains, skipped } = await dueCompanies(trx, request)
    const items = domains.map(
      (domain): PlannedItem => ({ entity: 'company', groups: ['company'], domain, input: {}, cost: COMPANY_COST }),
    )
    return {
      taskType: 'tal_enrich',
      input: request.body,
      callbackUrl: null,
      items,
      message: describe(domains.length, skipped),
      response: counts(domains.length, skipped),
    }
  }
}

/** Previews the actions and cost of `planTal`. Does not change data that is visible to the client. */
export async function previewTal(db: Db, request: TalRequest): Promise<TalSubmissionReply> {
  const { domains, skipped } = await dueCompanies(db, request)
  return {
    task_id: null,
    status: 'dry_run',
    message: `Dry run: no units were charged. ${describe(domains.length, skipped)}`,
    units_charged: 0,
    units_remaining: (await currentAccount(db, request.clientId)).balance,
    ...counts(domains.length, skipped),
  }
}

const counts = (due: number, skipped: number) => ({
  companies_to_enrich: due,
  companies_skipped: skipped,
  units_required: due * COMPANY_COST,
})

const describe = (due: number, skipped: number): string =>
  due + skipped === 0
    ? 'The target account list is empty. Add companies with POST /v2/clients/me/tal/companies.'
    : `${pluralize(due, 'company', 'companies')} to enrich, ${skipped} skipped as fresh or already being enriched.`

/** The stale companies on the list, starting with the oldest data. */
async function dueCompanies(
  db: Db,
  { clientId, body, freshDays }: TalRequest,
): Promise<{ domains: string[]; skipped: number }> {
  const maxAgeDays = body.max_age_days ?? freshDays
  const { rows } = await sql<{ domain: string; due: boolean }>`
    select m.domain, not (
        (${!body.force} and coalesce(c.enriched_at > now() - ${maxAgeDays}::float8 * interval '1 day', false))
        or exists (
          select from task_item i
          where i.client_id = ${clientId} and i.domain = m.domain and i.ended_at is null
            and i.entity = 'company' and 'company' = any(i.groups))
      ) as due
    from tal_member m left join company c on c.domain = m.domain
    where m.client_id = ${clientId}
    order by c.enriched_at nulls first, m.domain`.execute(db)
  const domains = rows.filter(({ due }) => due).map(({ domain }) => domain)
  return { domains, skipped: rows.length - domains.length }
}
