-- Nights may buy people and news as well: each group of fields has an age and a price of its own.
alter table warehouse.submission drop constraint submission_kind_is_known;
alter table warehouse.submission
  add constraint submission_kind_is_known check (kind in ('list', 'batch', 'leadership', 'signals'));
comment on column warehouse.submission.kind is 'list: the whole target account list, of which the service takes what is stale. batch: these companies. leadership, signals: the people of these companies, or their news';

create table warehouse.enrichment_group (
  field_group text not null,
  units integer not null,
  constraint enrichment_group_pk primary key (field_group),
  constraint enrichment_group_is_known check (field_group in ('company', 'leadership', 'signals'))
);
comment on table warehouse.enrichment_group is 'What the nights buy of a company that is due. Follows the settings.';
comment on column warehouse.enrichment_group.field_group is 'company: its own fields. leadership: its people. signals: its news';
comment on column warehouse.enrichment_group.units is 'Units that it costs for each company';
insert into warehouse.enrichment_group (field_group, units) values ('company', 1);

-- Only what concerns the company's own fields says how fresh those are.
create or replace view warehouse.tal_freshness as
with tried as (
  select domain, max(submission.intended_at) filter (where submission.reconciled_at is not null) as last_attempt_at,
    bool_or(submission.state in ('intent', 'submitted', 'unknown')) as open
  from warehouse.submission, unnest(domains) as domain
  where submission.state in ('intent', 'submitted', 'unknown', 'completed', 'failed') and submission.kind in ('list', 'batch')
  group by domain
),
aged as (
  select
    member.domain, member.source, company.name, company.enrichment_status, company.status_reason, company.enriched_at, company.retry_at, tried.last_attempt_at,
    coalesce(tried.open, false) or coalesce(company.enrichment_status = 'pending', false) as pending,
    target.max_age_days, target.due_soon_days,
    company.enriched_at + target.max_age_days * interval '1 day' as stale_at,
    -- Looked for and not found: the attempt counts, or the same company would be bought every night.
    case
      when tried.last_attempt_at - interval '10 minutes' > coalesce(company.enriched_at, '-infinity') -- clocks may differ
        then greatest(company.retry_at, tried.last_attempt_at + least(target.max_age_days, 7) * interval '1 day')
      when company.enrichment_status = 'failed' then company.retry_at
    end as not_before
  from warehouse.tal_member member
  left join warehouse.company on company.domain = member.domain
  left join tried on tried.domain = member.domain
  cross join lateral (
    select max_age_days, due_soon_days from warehouse.freshness_target
    where freshness_target.source in (member.source, '') order by freshness_target.source desc limit 1
  ) target
  where member.gone_at is null
)
select
  domain, name, source, enrichment_status, enriched_at, max_age_days, stale_at, last_attempt_at, not_before,
  case
    when pending then 'pending'
    when not_before > now() then 'failing'
    when enriched_at is null then 'never'
    when stale_at <= now() then 'stale'
    when stale_at <= now() + due_soon_days * interval '1 day' then 'due_soon'
    else 'fresh'
  end as state,
  case
    when pending then 'its enrichment is under way'
    when not_before > now() then format('tried on %s without success (%s); again from %s', last_attempt_at::date, coalesce(status_reason, enrichment_status, 'no reason given'), not_before::date)
    when enriched_at is null then 'never enriched'
    when stale_at <= now() then format('enriched %s days ago, %s allowed', floor(extract(epoch from now() - enriched_at) / 86400), max_age_days)
    when stale_at <= now() + due_soon_days * interval '1 day' then format('stale on %s', stale_at::date)
    else format('fresh until %s', stale_at::date)
  end as reason
from aged;

create view warehouse.group_freshness as
with told as (
  -- A service that tells when people and news were looked for is believed; for another, a task that was completed counts.
  select bool_or(leadership_enriched_at is not null) as leadership, bool_or(signals_enriched_at is not null) as signals
  from warehouse.company
),
tried as (
  select domain, submission.kind as field_group,
    max(submission.intended_at) filter (where submission.reconciled_at is not null) as last_attempt_at,
    max(submission.intended_at) filter (where submission.state = 'completed') as completed_at,
    bool_or(submission.state in ('intent', 'submitted', 'unknown')) as pending
  from warehouse.submission, unnest(domains) as domain
  where submission.state in ('intent', 'submitted', 'unknown', 'completed', 'failed') and submission.kind in ('leadership', 'signals')
  group by domain, submission.kind
),
looked as (
  select
    member.domain, bought.field_group, bought.units, tried.last_attempt_at, coalesce(tried.pending, false) as pending, target.max_age_days,
    case bought.field_group
      when 'leadership' then case when told.leadership then company.leadership_enriched_at else tried.completed_at end
      else case when told.signals then company.signals_enriched_at else tried.completed_at end
    end as enriched_at
  from warehouse.tal_member member
  join warehouse.enrichment_group bought on bought.field_group in ('leadership', 'signals')
  cross join told
  left join warehouse.company on company.domain = member.domain
  left join tried on tried.domain = member.domain and tried.field_group = bought.field_group
  cross join lateral (
    select max_age_days from warehouse.freshness_target
    where freshness_target.source in (member.source, '') order by freshness_target.source desc limit 1
  ) target
  where member.gone_at is null
)
select
  domain, field_group, units, enriched_at, last_attempt_at, max_age_days,
  case
    when not pending then greatest(
      coalesce(enriched_at + max_age_days * interval '1 day', now()),
      -- Looked for and not found: the attempt counts, or the same would be bought every night.
      case when last_attempt_at - interval '10 minutes' > coalesce(enriched_at, '-infinity') then last_attempt_at + least(max_age_days, 7) * interval '1 day' end
    )
  end as due_at
from looked;
comment on view warehouse.group_freshness is 'When the people and the news of each member are due, where the nights buy them (pipelines.enrich.groups).';
comment on column warehouse.group_freshness.domain is 'The member';
comment on column warehouse.group_freshness.field_group is 'leadership or signals';
comment on column warehouse.group_freshness.units is 'Units that it costs';
comment on column warehouse.group_freshness.enriched_at is 'When it was last looked for; null: never';
comment on column warehouse.group_freshness.last_attempt_at is 'When paid work on it that has ended was last asked for';
comment on column warehouse.group_freshness.max_age_days is 'Days it may grow old';
comment on column warehouse.group_freshness.due_at is 'When it is due, now at the earliest where it never was looked for; null while it is under way';

create or replace view warehouse.units_forecast as
with nights as (
  select night::date as night from generate_series(current_date, current_date + 13, interval '1 day') as night
),
of_groups as (
  select greatest(due_at, now())::date as night, sum(units)::integer as units
  from warehouse.group_freshness where due_at is not null group by 1
)
select nights.night,
  count(freshness.domain) filter (where freshness.state = 'never')::integer as never_enriched,
  count(freshness.domain) filter (where freshness.state <> 'never')::integer as becoming_stale,
  (count(freshness.domain) * coalesce((select units from warehouse.enrichment_group where field_group = 'company'), 0) + coalesce(of_groups.units, 0))::integer as units
from nights
left join warehouse.tal_freshness freshness
  on freshness.state <> 'pending'
  and greatest(coalesce(freshness.stale_at, now()), coalesce(freshness.not_before, now()), now())::date = nights.night
left join of_groups on of_groups.night = nights.night
group by nights.night, of_groups.units
order by nights.night;
comment on view warehouse.units_forecast is 'Units that become due on each of the next fourteen nights, for all that the nights buy. What the budget of a night does not hold waits for the next.';
comment on column warehouse.units_forecast.units is 'Units in all: a unit for each company, and what its people and news cost where they are bought';
