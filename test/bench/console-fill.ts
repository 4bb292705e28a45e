import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import type { Db } from '../../src/db/database.ts'
import { renewDataset } from '../../src/firms/firm-dataset.ts'
import { fillRecords, withoutIndexes } from './record-fill.ts'

export interface Sizes {
  firms: number
  members: number
  nights: number
}

/** Number of companies enriched per night. */
const PER_NIGHT = 1_000
/** Number of additional single-company tasks per night. */
const SMALL_TASKS = 50

/**
 * Fills the service tables that the console reads: firms, a client's list, and its tasks, ledger, deliveries and audit
 * log.
 */
export async function fillService(db: Db, clientId: string, { firms, members, nights }: Sizes): Promise<void> {
  await fillRecords(db, members)
  await withoutIndexes(db, "tablename = 'firm' and indexname like 'firm_by_%'", () =>
    sql`
    insert into firm (sec_number, crd_number, legal_name, firm_type, region, state, city, country, website_domain, employee_count,
      aum_total_usd, latest_filing_date, as_of, first_as_of)
    select '801-' || (1000000 + n), n, 'EXAMPLE ADVISER ' || md5(n::text), case when n % 4 = 0 then 'exempt' else 'registered' end,
      (array['NYRO', 'BRO', 'CHRO', 'SFRO'])[1 + n % 4], (array['NY', 'CA', 'TX', 'MA', 'IL', 'FL', 'CT', 'NJ'])[1 + (n * 7) % 8],
      'Springfield', 'United States', 'firm' || n || '.example', n % 400, ((n::bigint * 7919) % 1000003) * 90000.25,
      current_date - n % 365, current_date, current_date
    from generate_series(1, ${firms}::integer) n`.execute(db),
  )
  await renewDataset(db)
  await sql`
    insert into tal_member (client_id, domain, source, attributes)
    select ${clientId}, domain, case when random() < 0.5 then 'prospects' end, jsonb_build_object('owner', 'owner ' || length(domain) % 7)
    from company`.execute(db)
  await fillTasks(db, clientId, { members, nights })
  await sql`
    insert into audit_entry (at, actor, action, target)
    select now() - n * interval '5 minutes', 'key ' || n % 20, (array['list.add', 'task.submit', 'run.start'])[1 + n % 3], ${clientId}
    from generate_series(1, 100000) n`.execute(db)
  await sql`
    insert into webhook_delivery (client_id, delivery_id, task_id, url, payload, state, next_attempt_at, created_at, ended_at)
    select client_id, gen_random_uuid(), task_id, 'https://hooks.example/talhouse', '{}', 'delivered', null, created_at, created_at
    from task`.execute(db)
  // Enables index-only scans, as autovacuum does in production.
  await sql`vacuum analyze`.execute(db)
}

async function fillTasks(db: Db, clientId: string, { members, nights }: Omit<Sizes, 'firms'>): Promise<void> {
  await db.connection().execute(async (one) => {
    // Skips foreign key checks, because the rows are consistent.
    await sql`set session_replication_role = replica`.execute(one)
    await sql`
      insert into task (client_id, task_id, task_type, state, input, units_charged, items_total, items_done, created_at, completed_at)
      select ${clientId}, gen_random_uuid(), case when n = 0 then 'tal_enrich' else 'enrich_company' end, 'completed', '{}',
        items, items, items, at, at
      from generate_series(1, ${nights}::integer) night, generate_series(0, ${SMALL_TASKS}::integer) n,
        lateral (select case when n = 0 then ${Math.min(PER_NIGHT, members)}::integer else 1 end as items, now() - night * interval '1 day' + n * interval '10 minutes' as at)`.execute(
      one,
    )
    await sql`
      with known as materialized (select domain, row_number() over () - 1 as place from company),
        placed as materialized (select *, row_number() over (order by created_at) as place from task)
      insert into task_item (client_id, task_id, item, entity, groups, domain, cost, state, outcome, started_at, ended_at)
      select client_id, task_id, n, 'company', '{company}', domain, 1, 'completed', 'complete', created_at, created_at
      from placed cross join lateral generate_series(1, items_total) n join known on known.place = (placed.place * 131 + n) % ${members}::integer`.execute(
      one,
    )
    await sql`
      insert into ledger_entry (client_id, kind, units, balance_after, task_id, period_started_at, created_at)
      select client_id, 'charge', -units_charged, 1000000, task_id, date_trunc('month', created_at), created_at
      from task order by created_at`.execute(one)
    await sql`reset session_replication_role`.execute(one)
  })
}

/** Fills the warehouse: the same firms and members, people, changes, and a year of nightly runs with their spending. */
export async function fillWarehouse(db: Kysely<WarehouseTables>, { firms, members, nights }: Sizes): Promise<void> {
  await sql`
    insert into sync.run (pipeline, requested_by, state, outcome, holder, started_at, ended_at, inserted, updated, requests, units, scheduled_for)
    select 'nightly', 'schedule', 'completed', case when n % 9 = 0 then 'degraded' else 'ok' end, '{}', at, at + interval '20 minutes',
      n, 3000, 9000, 3000, at
    from generate_series(${nights}::integer, 1, -1) n, lateral (select now() - n * interval '1 day' as at)`.execute(db)
  await sql`
    insert into sync.run (pipeline, parent_id, requested_by, state, outcome, holder, started_at, ended_at, inserted, requests)
    select step, id, 'nightly', 'completed', 'ok', '{}', started_at, ended_at, 100, 900
    from sync.run, unnest(array['erasures', 'tal-members', 'firms', 'enrich-due', 'staleness', 'history', 'repair', 'spending', 'snapshot']) step`.execute(
    db,
  )
  await sql`
    insert into warehouse.firm (firm_id, sec_number, crd_number, legal_name, region, state, aum_total_usd, valid_from, run_id, row_hash)
    select n, '801-' || (1000000 + n), n, 'EXAMPLE ADVISER ' || n, (array['NYRO', 'BRO', 'CHRO', 'SFRO'])[1 + n % 4],
      (array['NY', 'CA', 'TX', 'MA'])[1 + n % 4], n * 90000.25, now() - interval '300 days', 1, md5(n::text)::uuid
    from generate_series(1, ${firms}::integer) n`.execute(db)
  await fillMembers(db, members)
  await fillPeople(db, { members, nights })
  await sql`insert into warehouse.freshness_target values ('', 30, 7)`.execute(db)
  await sql`
    insert into warehouse.submission (submission_key, kind, night, domains, quoted_units, state, task_id, units_charged, intended_at, submitted_at, outcome_at, run_id)
    select 'night ' || n, 'list', current_date - n, domains, cardinality(domains), 'completed', 'task ' || n, cardinality(domains), at, at, at, 1
    from generate_series(1, ${nights}::integer) n, lateral (select now() - n * interval '1 day' as at),
      lateral (select array(select lpad(((n * ${PER_NIGHT}::integer + k) % ${members}::integer)::text, 6, '0') || '.example' from generate_series(1, ${PER_NIGHT}::integer) k) as domains)`.execute(
    db,
  )
  await sql`
    insert into warehouse.ledger_line (ledger_id, entry_id, item, kind, units, task_id, task_type, entity, domain, created_at, run_id)
    select 'ledger', row_number() over (), place, 'charge', -1, task_id, 'tal_enrich', 'company', domain, intended_at, 1
    from warehouse.submission, unnest(domains) with ordinality as one (domain, place)`.execute(db)
  await sql`
    insert into warehouse.freshness_by_night (night, state, members, run_id)
    select current_date - n, state, ${members}::integer / 5, 1
    from generate_series(1, ${nights}::integer) n, unnest(array['fresh', 'due_soon', 'stale', 'never', 'failing']) state`.execute(
    db,
  )
  await sql`
    insert into warehouse.quarantine (entity, fingerprint, key, reason, record, resolved_at, run_id)
    select 'firm', md5(n::text)::uuid, n::text, 'not a date', '{"latest_filing_date": "soon"}', case when n > 200 then now() end, 1
    from generate_series(1, 20000) n`.execute(db)
  await sql`
    insert into sync.verification (dataset, differences, requests)
    select dataset, '[]', 1 from unnest(array['firms', 'members', 'history']) dataset, generate_series(1, ${nights}::integer)`.execute(
    db,
  )
  await sql`vacuum analyze`.execute(db)
}

const eachMember = (members: number) =>
  sql`generate_series(1, ${members}::integer) n, lateral (select lpad((n % ${members}::integer)::text, 6, '0') || '.example' as domain)`

async function fillMembers(db: Kysely<WarehouseTables>, members: number): Promise<void> {
  const one = eachMember(members)
  await sql`
    insert into warehouse.tal_member (domain, source, attributes, run_id, row_hash)
    select domain, 'prospects', jsonb_build_object('owner', 'owner ' || n % 7), 1, '' from ${one}`.execute(db)
  await sql`
    insert into warehouse.company (domain, name, enrichment_status, enriched_at, headquarters_state, run_id, row_hash)
    select domain, 'Example ' || n, 'complete', now() - n % 40 * interval '1 day', (array['NY', 'CA', 'TX', 'MA'])[1 + n % 4], 1, '' from ${one}`.execute(
    db,
  )
  await sql`
    insert into warehouse.signal (company_domain, signal_key, type, headline, published_on, run_id, row_hash)
    select domain, k::text, 'Funding', 'Raises money', current_date - n % 365, 1, '' from ${one}, generate_series(1, 2) k`.execute(
    db,
  )
  await sql`
    insert into warehouse.history_event (domain, event_key, entity, key, field, old_value, new_value, changed_at, run_id)
    select domain, k::text, 'company', domain, 'employee_count', to_jsonb(k), to_jsonb(k + 1), now() - k * interval '30 days', 1
    from ${one}, generate_series(1, 10) k`.execute(db)
}

/**
 * Adds three people per member and one former person at every second member. The first search found the first, second
 * and fourth person. During the nightly runs, the third joined, the fourth left and the first changed title.
 */
async function fillPeople(db: Kysely<WarehouseTables>, { members, nights }: Omit<Sizes, 'firms'>): Promise<void> {
  const night = (number: string) =>
    sql.raw(`now() - (${number}) % ${nights} * interval '1 day' - n % 36000 * interval '1 second'`)
  // Events are inserted first, because triggers classify changes faster while a company has no people.
  await sql`
    insert into warehouse.history_event (domain, event_key, entity, key, field, old_value, new_value, changed_at, source, task_id, run_id)
    select domain, event_key || k, 'person', md5(domain || k), case event_key when 'new title' then 'title' else event_key end, old_value, new_value, changed_at, 'website', task_id, 1
    from ${eachMember(members)},
      lateral (select ${night(`${nights} - 1`)} as searched_at, ${night('n')} as joined_at, ${night('7 * n')} as retitled_at, ${night('13 * n')} as left_at),
      generate_series(1, case when n % 2 = 0 then 4 else 3 end) k,
      lateral (values
        ('full_name', null, to_jsonb('Person ' || k), case k when 3 then joined_at else searched_at end, case k when 3 then 'joined' else 'first' end, true),
        ('title', null, '"Associate"', case k when 3 then joined_at else searched_at end, case k when 3 then 'joined' else 'first' end, true),
        ('new title', '"Associate"'::jsonb, '"Partner"', retitled_at, 'retitled', k = 1),
        ('left_at', null, to_jsonb(left_at), left_at, 'left', k = 4)
      ) as event (event_key, old_value, new_value, changed_at, task_id, is_present)
    where is_present`.execute(db)
  await sql`
    insert into warehouse.former_person (company_domain, person_key, person_id, email_hash, full_name, title, seniority, is_leader, first_seen_at, run_id)
    select domain, md5(domain || 4), n::text, md5(domain || 4), 'Person 4', 'Associate', 'associate', false, now(), 1 from ${eachMember(members)} where n % 2 = 0`.execute(
    db,
  )
  await sql`
    insert into warehouse.person (company_domain, person_key, email_hash, email, email_status, full_name, title, seniority, run_id, row_hash)
    select domain, md5(domain || k), md5(domain || k), 'person' || k || '@' || domain, 'derived', 'Person ' || k, 'Partner', 'partner', 1, ''
    from ${eachMember(members)}, generate_series(1, 3) k`.execute(db)
}
