import { FOLD_MISMATCHES } from '../history/fold-mismatches.ts'
import { GROUPS } from '../staleness/groups.ts'
import type { Check } from './check.ts'

const notNull = (table: string, column: string, where = 'true'): Check => ({
  kind: 'check',
  name: `${table}.${column} is not null`,
  description: `Every row of ${table}${where === 'true' ? '' : ` where ${where}`} has ${column}`,
  sql: `select * from warehouse.${table} where ${column} is null and ${where}`,
})

const unique = (table: string, column: string, where = 'true'): Check => ({
  kind: 'check',
  name: `${table}.${column} is unique`,
  description: `No two rows of ${table}${where === 'true' ? '' : ` where ${where}`} have the same ${column}`,
  sql: `select ${column}, count(*)::integer as rows from warehouse.${table} where ${where} and ${column} is not null group by ${column} having count(*) > 1`,
})

const accepted = (table: string, column: string, values: readonly string[]): Check => ({
  kind: 'check',
  name: `${table}.${column} has accepted values`,
  description: `${column} is one of ${values.join(', ')}`,
  sql: `select ${column}, count(*)::integer as rows from warehouse.${table} where ${column} <> all (array[${values.map((value) => `'${value}'`).join(', ')}]) group by ${column}`,
})

const relationship = (table: string, column: string, to: string, toColumn: string, where = 'true'): Check => ({
  kind: 'check',
  name: `${table}.${column} refers to ${to}`,
  description: `Every ${column} in ${table} exists as ${toColumn} in ${to}`,
  sql: `select ${table}.${column}, count(*)::integer as rows from warehouse.${table} where ${where}
    and not exists (select from warehouse.${to} where ${to}.${toColumn} = ${table}.${column}) group by 1`,
})

/** Invariants of the warehouse that hold regardless of the service's data. */
export const INVARIANTS: readonly Check[] = [
  notNull('firm', 'legal_name', 'gone_at is null'),
  notNull('company', 'enriched_at', "enrichment_status in ('complete', 'partial')"),
  notNull('submission', 'task_id', "state = 'submitted'"),
  notNull('submission', 'outcome_at', "state in ('completed', 'failed', 'refused', 'void')"),
  unique('firm', 'sec_number', 'gone_at is null'),
  unique('firm', 'crd_number', 'gone_at is null'),
  unique('submission', 'task_id'),
  accepted('firm', 'region', ['NYRO', 'BRO', 'PLRO', 'ARO', 'MIRO', 'CHRO', 'FWRO', 'DRO', 'LARO', 'SFRO', 'HQ']),
  accepted('company', 'enrichment_status', ['none', 'pending', 'complete', 'partial', 'not_found', 'failed']),
  accepted('person', 'email_status', ['published', 'derived', 'guessed']),
  accepted('signal', 'type', [
    'Funding',
    'Expansion',
    'Leadership Change',
    'Product Launch',
    'Partnership',
    'Acquisition',
    'Hiring',
    'Award',
    'Regulatory',
    'Technology',
  ]),
  accepted('history_event', 'entity', ['company', 'person']),
  relationship('tal_member', 'domain', 'company', 'domain', 'gone_at is null'),
  relationship('person', 'company_domain', 'tal_member', 'domain'),
  relationship('former_person', 'company_domain', 'tal_member', 'domain'),
  relationship('signal', 'company_domain', 'company', 'domain'),
  relationship('history_event', 'domain', 'tal_member', 'domain'),
  {
    kind: 'check',
    name: 'person events belong to a person',
    description: 'Every event about a person belongs to a current or former person in the warehouse',
    sql: `select domain, key, count(*)::integer as rows from warehouse.history_event event where entity = 'person'
      and not exists (select from warehouse.person where person.company_domain = event.domain and person.person_key = event.key)
      and not exists (select from warehouse.former_person former where former.company_domain = event.domain and former.person_key = event.key)
      group by 1, 2`,
  },
  {
    kind: 'check',
    name: 'firm versions do not overlap',
    description: 'At any time, a firm has at most one valid version',
    sql: `select a.firm_id, a.valid_from, a.valid_to, b.valid_from as other_from
      from warehouse.firm_version a join warehouse.firm_version b on a.firm_id = b.firm_id and a.valid_from < b.valid_from
      where coalesce(a.valid_to, 'infinity') > b.valid_from`,
  },
  {
    kind: 'check',
    name: 'past firm versions are complete',
    description: 'For every firm version except the first, the superseded version is stored',
    sql: `select firm.firm_id, firm.sec_number, version.valid_from as version_from
      from warehouse.firm_version version join warehouse.firm using (firm_id)
      where version.recorded_at <> firm.first_seen_at
        and not exists (select from warehouse.firm_previous past where past.firm_id = version.firm_id and past.superseded_at = version.recorded_at)`,
  },
  {
    kind: 'check',
    name: 'latest events match the record',
    description: 'The latest event of each company field has the same value as the company record',
    sql: FOLD_MISMATCHES,
  },
  {
    kind: 'check',
    name: 'units add up',
    description: 'Refunds do not exceed charges, and charges do not exceed the price of the companies',
    sql: `select submission_key, quoted_units, units_charged, units_refunded, cardinality(domains) as companies from warehouse.submission
      where coalesce(units_refunded, 0) > coalesce(units_charged, 0)
        or units_charged > cardinality(domains) * case kind when 'leadership' then ${GROUPS.leadership.units} when 'signals' then ${GROUPS.signals.units} else ${GROUPS.company.units} end`,
  },
  {
    kind: 'check',
    name: 'units of runs match units of submissions',
    description: 'The units of all enrichment runs equal the units of all submissions, net of refunds',
    sql: `select runs.units as by_runs, submissions.units as by_submissions
      from (select coalesce(sum(units), 0) as units from sync.run where pipeline = 'enrich-due' and state in ('completed', 'failed', 'interrupted')) runs,
        (select coalesce(sum(units_charged - coalesce(units_refunded, 0)), 0) as units from warehouse.submission) submissions
      where runs.units <> submissions.units and not exists (select from sync.run where pipeline = 'enrich-due' and state in ('abandoned', 'running'))`,
  },
  {
    kind: 'check',
    name: 'no company is paid for twice in a night',
    description:
      'Per night, a company is in at most one paid submission for its fields, one for its people and one for its signals',
    sql: `select night, domain, count(*)::integer as submissions from warehouse.submission, unnest(domains) as domain
      where state not in ('void', 'refused')
      group by night, domain, case when kind in ('list', 'batch') then 'company' else kind end having count(*) > 1`,
  },
  {
    kind: 'check',
    name: 'watermarks are not ahead of the data',
    description: 'For every watermark, the warehouse contains an event that is at least as new',
    sql: `select mark.subject, mark.value from sync.watermark mark
      where mark.pipeline = 'history' and split_part(mark.subject, '/', 1) in ('company', 'person')
        and mark.value::timestamptz > coalesce((
          select max(event.changed_at) from warehouse.history_event event
          where event.entity = split_part(mark.subject, '/', 1) and event.domain = split_part(mark.subject, '/', 2)
            and event.key = case event.entity when 'person' then split_part(mark.subject, '/', 3) else event.domain end
        ), '-infinity')`,
  },
  {
    kind: 'check',
    name: 'the warehouse is fresh',
    description:
      'The pipelines tal-members, firms, history and nightly, if they have ever run, ended with outcome ok in the last 36 hours',
    sql: `select pipeline, last_ok_at from warehouse.run_status
      where pipeline in ('tal-members', 'firms', 'history', 'nightly') and coalesce(last_ok_at, '-infinity') < now() - interval '36 hours'`,
  },
  {
    kind: 'check',
    name: 'quarantine is empty',
    description: 'There are no unresolved rejected records',
    sql: 'select entity, key, reason from warehouse.quarantine where resolved_at is null',
  },
  {
    kind: 'note',
    name: 'every field of the service has a column',
    description:
      'Schema drift: fields and terms of the service that talhouse does not recognize. Values of such fields are in the column extra',
    sql: 'select entity, field, type, first_seen_at from warehouse.schema_drift order by first_seen_at desc, entity, field',
  },
]
