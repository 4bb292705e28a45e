import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { FORM_ADV } from '../findings/sources.ts'
import { prepared } from '../lib/prepared-statements.ts'
import { countRecords } from '../stats/record-counts.ts'
import { mergeRegistryFields } from './registry-fields.ts'

export interface LinkedFirms {
  /** Number of companies created from website domains of firms. */
  added: number
  /** Number of companies whose `in_formadv` or CRD number changed, including the created companies. */
  changed: number
}

/**
 * Links companies to the firms in the latest roster. Creates a company for each website domain, sets `in_formadv`, and
 * sets the CRD number unless several firms share the domain. Records every change as a history event. If `domains` is
 * given, updates only these companies and creates no companies.
 */
export async function linkFirms(trx: Db, domains?: readonly string[]): Promise<LinkedFirms> {
  const only = (column: string) => (domains ? sql`and ${sql.ref(column)} = any(${domains}::text[])` : sql``)
  const added = domains ? 0 : await addCompanies(trx)
  const { rows } = await sql<{ was: boolean; is: boolean; was_public: boolean }>`${domains ? prepared : sql``}
    with matched as (
      select website_domain as domain, case when count(*) = 1 then min(crd_number) end as crd_number
      from firm
      where gone_as_of is null and website_domain is not null ${only('website_domain')}
      group by website_domain
    ), wanted as materialized (
      select company.domain, company.in_formadv as was, matched.domain is not null as is_now, company.is_public as was_public,
             company.crd_number as old_number, matched.crd_number as new_number, company.history_at,
             exists (select from history_event where domain = company.domain and entity = 'company' and field = 'crd_number') as had_number
      from company left join matched on matched.domain = company.domain
      where (company.in_formadv is distinct from (matched.domain is not null)
             or company.crd_number is distinct from matched.crd_number) ${only('company.domain')}
      order by company.domain
      for update of company
    ), timed as materialized (
      select *, greatest(clock_timestamp(), history_at + interval '1 microsecond') as at from wanted
    ), events as (
      insert into history_event (domain, entity, kind, field, old_value, new_value, changed_at, source)
      select domain, 'company', case when history_at is null then 'created' else 'updated' end, 'in_formadv', to_jsonb(was), to_jsonb(is_now), at, ${FORM_ADV} from timed where was <> is_now
      union all
      select domain, 'company',
             case when new_number is null then 'removed' when old_number is null and not had_number then 'created' else 'updated' end,
             'crd_number', to_jsonb(old_number), to_jsonb(new_number), at + interval '1 microsecond', ${FORM_ADV}
      from timed where old_number is distinct from new_number
    )
    update company
    set in_formadv = is_now, is_public = is_public or is_now, crd_number = new_number, history_at = at + interval '1 microsecond', updated_at = now()
    from timed where company.domain = timed.domain
    returning timed.was, timed.is_now as is, timed.was_public`.execute(trx)
  const rise = rows.reduce((sum, { was, is }) => sum + Number(is) - Number(was), 0)
  const published = rows.filter(({ is, was_public }) => is && !was_public).length
  await countRecords(trx, 'company', { total: published, from_formadv: rise })
  await mergeRegistryFields(trx, domains)
  return { added, changed: rows.length }
}

async function addCompanies(trx: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into company (domain)
    select distinct website_domain from firm where gone_as_of is null and website_domain is not null order by 1
    on conflict (domain) do nothing`.execute(trx)
  return Number(numAffectedRows)
}
