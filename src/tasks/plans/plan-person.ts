import { sql } from 'kysely'
import { normalizeDomain } from '../../companies/normalize-domain.ts'
import type { EnrichPerson } from '../../contract/enrichment.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'
import type { PersonIdentifiers } from '../../persons/find-person.ts'
import { findPerson } from '../../persons/find-person.ts'
import { isMailHost } from '../../persons/mail-hosts.ts'
import type { PersonRow } from '../../persons/person-rows.ts'
import { PERSON_COST } from '../../units/costs.ts'
import type { PlannedItem } from '../insert-task.ts'
import type { TaskPlan } from '../submit.ts'

/** Plans one person. Enriching a person with a complete and fresh record is free, unless the request is forced. */
export function planPerson(request: EnrichPerson, freshDays: number): (trx: Db) => Promise<TaskPlan> {
  const { force, ...given } = request
  const identifiers = checkIdentifiers(given)
  return async (trx) => {
    const known = force ? undefined : await findPerson(trx, identifiers)
    const fresh = known?.enrichment_status === 'complete' && (await isFresh(trx, known, freshDays)) ? known : undefined
    const item = personItem(identifiers)
    const completed = fresh && {
      outcome: 'fresh' as const,
      output: { person_ids: [fresh.person_id], company_domain: fresh.company_domain },
    }
    return {
      taskType: 'enrich_person',
      input: request,
      callbackUrl: null,
      items: [completed ? { ...item, cost: 0, completed } : item],
      message: fresh
        ? 'This person is fresh, so no units were charged. Send "force": true to enrich them again.'
        : 'The person will be enriched. Poll the task.',
    }
  }
}

async function isFresh(trx: Db, { enriched_at }: PersonRow, days: number): Promise<boolean> {
  const { rows } = await sql<{ fresh: boolean }>`
    select coalesce(${enriched_at}::timestamptz > now() - ${days}::float8 * interval '1 day', false) as fresh`.execute(
    trx,
  )
  return rows[0]?.fresh === true
}

/**
 * Creates the item for a person. The item's company is the requested company. If no company is requested, the item's
 * company is the owner of the email domain, unless the domain belongs to a public mail provider.
 */
export function personItem(identifiers: PersonIdentifiers): PlannedItem {
  const { email, company_domain } = identifiers
  const host = company_domain ?? (email === undefined ? undefined : companyOf(email))
  return { entity: 'person', groups: ['leadership'], domain: host ?? null, input: identifiers, cost: PERSON_COST }
}

function companyOf(email: string): string | undefined {
  try {
    const domain = normalizeDomain(email.slice(email.lastIndexOf('@') + 1))
    return isMailHost(domain) ? undefined : domain
  } catch {
    return undefined // The domain is not public, but the person can still be stored.
  }
}

function checkIdentifiers({ email, social_url, full_name, company_domain }: EnrichPerson): PersonIdentifiers {
  if ((full_name === undefined) !== (company_domain === undefined))
    throw new AppError('unprocessable', 'Send full_name and company_domain together.')
  if (full_name?.trim() === '') throw new AppError('unprocessable', 'full_name is empty.')
  if (email === undefined && social_url === undefined && full_name === undefined)
    throw new AppError('unprocessable', 'Send an email, a social_url, or a full_name with company_domain.')
  if (social_url !== undefined && !/^(https?:\/\/)?[^/\s]+\.[^/\s]+\/\S+$/i.test(social_url.trim()))
    throw new AppError('unprocessable', 'social_url is not a profile URL.')
  return {
    ...(email !== undefined && { email: email.trim().toLowerCase() }),
    ...(social_url !== undefined && { social_url: social_url.trim() }),
    ...(full_name !== undefined && { full_name: full_name.trim() }),
    ...(company_domain !== undefined && { company_domain: normalizeDomain(company_domain) }),
  }
}
