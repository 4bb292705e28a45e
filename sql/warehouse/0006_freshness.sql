-- Paid enrichment: submissions, freshness of members, and due work.

create table warehouse.freshness_target (
  source text primary key,
  max_age_days double precision not null check (max_age_days > 0),
  due_soon_days double precision not null
);
comment on table warehouse.freshness_target is 'Maximum age of members'' records, by tag. Copied from the configuration';
comment on column warehouse.freshness_target.source is 'Tag of the members. The row with an empty tag applies to all other tags';
comment on column warehouse.freshness_target.max_age_days is 'Age in days at which a record becomes stale';
comment on column warehouse.freshness_target.due_soon_days is 'A record becomes due soon this many days before it becomes stale';

create table warehouse.enrichment_group (
  field_group text primary key check (field_group in ('company', 'leadership', 'signals')),
  units integer not null
);
comment on table warehouse.enrichment_group is 'Field groups that the nightly run enriches when they are due. Copied from the configuration';
comment on column warehouse.enrichment_group.field_group is 'company (the company''s fields), leadership (its people) or signals (its news)';
comment on column warehouse.enrichment_group.units is 'Price per company in units';
insert into warehouse.enrichment_group (field_group, units) values ('company', 1);

create table sync.budget (
  id boolean primary key default true check (id),
  units_per_night integer not null check (units_per_night >= 0),
  keep_units integer not null check (keep_units >= 0),
  changed_at timestamptz not null default now()
);
comment on table sync.budget is 'Nightly budget set through the API, in a single row. If there is no row, the settings determine the budget';
comment on column sync.budget.id is 'Always true';
comment on column sync.budget.units_per_night is 'Maximum number of units spent per night';
comment on column sync.budget.keep_units is 'Units of the period''s balance that nightly runs must not spend';
comment on column sync.budget.changed_at is 'Time at which the budget was set';

create table warehouse.submission (
  submission_key text collate "C" primary key,
  kind text not null check (kind in ('list', 'batch', 'leadership', 'signals')),
  night date not null,
  domains text[] not null,
  stale_companies integer not null default 0,
  max_age_days double precision,
  quoted_units numeric not null,
  state text not null default 'intent'
    check (state in ('intent', 'submitted', 'completed', 'failed', 'refused', 'void', 'unknown')),
  task_id text,
  units_charged numeric,
  units_refunded numeric,
  reason text,
  intended_at timestamptz not null default now(),
  submitted_at timestamptz,
  outcome_at timestamptz,
  run_id bigint not null
);
create unique index submission_task_key on warehouse.submission (task_id) where task_id is not null;
create index submission_open on warehouse.submission (state) where state in ('intent', 'submitted', 'unknown');
comment on table warehouse.submission is 'Paid enrichment requests, with the expected price and the outcome. A row is written before its request is sent';
comment on column warehouse.submission.submission_key is 'Key derived from the night, the kind and the companies. Sent in the Idempotency-Key header';
comment on column warehouse.submission.kind is 'list: the whole target account list; the service enriches its stale companies. batch: the companies in domains. leadership, signals: people or news for the companies in domains';
comment on column warehouse.submission.night is 'Night whose budget pays for the request';
comment on column warehouse.submission.domains is 'Domains of the companies';
comment on column warehouse.submission.stale_companies is 'Number of companies in the submission that had been enriched before. pipelines.enrich.spread limits how many such companies are enriched per night';
comment on column warehouse.submission.max_age_days is 'Maximum age sent with a list submission';
comment on column warehouse.submission.quoted_units is 'Expected units';
comment on column warehouse.submission.state is 'intent: the request is about to be sent, or its outcome is not yet known. submitted: the task is running. completed, failed: the task has ended. refused: the service rejected the request. void: the request never reached the service, or was rate-limited. unknown: the outcome cannot be determined and needs manual review';
comment on column warehouse.submission.task_id is 'Task id assigned by the service';
comment on column warehouse.submission.units_charged is 'Units charged when the service accepted the request';
comment on column warehouse.submission.units_refunded is 'Units refunded when the task ended';
comment on column warehouse.submission.reason is 'Reason for a failed, refused, void or unknown outcome';
comment on column warehouse.submission.intended_at is 'Time at which the row was written';
comment on column warehouse.submission.submitted_at is 'Time at which the service accepted the request';
comment on column warehouse.submission.outcome_at is 'Time at which the outcome was recorded, including the outcome `unknown`';
comment on column warehouse.submission.run_id is 'Run that created the submission';

create view warehouse.tal_freshness as
with tried as (
  select domain, max(submission.intended_at) filter (where submission.outcome_at is not null) as last_attempt_at,
    bool_or(submission.state in ('intent', 'submitted', 'unknown')) as open
  from warehouse.submission, unnest(domains) as domain
  where submission.state in ('intent', 'submitted', 'unknown', 'completed', 'failed') and submission.kind in ('list', 'batch')
  group by domain
),
aged as (
  select
    member.domain, member.source, company.name, company.enrichment_status, company.status_reason, company.enriched_at,
    company.retry_at, tried.last_attempt_at,
    -- A company can be pending without an open submission in this warehouse: either another client requested the
    -- enrichment, or the service lost the task. The second case is assumed after 12 hours.
    coalesce(tried.open, false) or coalesce(company.pending_since > now() - interval '12 hours', false) as pending,
    target.max_age_days, target.due_soon_days,
    company.enriched_at + target.max_age_days * interval '1 day' as stale_at,
    -- An attempt that finds no data delays the next one. Otherwise, units would be spent on the company every night.
    -- The tolerance of ten minutes allows for clock skew.
    case
      when tried.last_attempt_at - interval '10 minutes' > coalesce(company.enriched_at, '-infinity')
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
    when pending then 'enrichment in progress'
    when not_before > now() then format('last attempt on %s failed (%s); next attempt on %s', last_attempt_at::date, coalesce(status_reason, enrichment_status, 'no reason given'), not_before::date)
    when enriched_at is null then 'never enriched'
    when stale_at <= now() then format('enriched %s days ago, maximum is %s', floor(extract(epoch from now() - enriched_at) / 86400), max_age_days)
    when stale_at <= now() + due_soon_days * interval '1 day' then format('stale on %s', stale_at::date)
    else format('fresh until %s', stale_at::date)
  end as reason
from aged;
comment on view warehouse.tal_freshness is 'Freshness of each member''s company fields, with the reason';
comment on column warehouse.tal_freshness.domain is 'Member';
comment on column warehouse.tal_freshness.name is 'Display name of the company';
comment on column warehouse.tal_freshness.source is 'Tag that the client assigned when it added the company';
comment on column warehouse.tal_freshness.enrichment_status is 'Result of the latest enrichment';
comment on column warehouse.tal_freshness.enriched_at is 'Time of the latest enrichment that found company fields';
comment on column warehouse.tal_freshness.max_age_days is 'Age in days at which the record becomes stale';
comment on column warehouse.tal_freshness.stale_at is 'Time at which the record becomes stale; may be in the past';
comment on column warehouse.tal_freshness.last_attempt_at is 'Submission time of the latest finished paid request';
comment on column warehouse.tal_freshness.not_before is 'Earliest time of the next paid request. Null if there is no restriction';
comment on column warehouse.tal_freshness.state is 'never, stale, due_soon, fresh, pending or failing';
comment on column warehouse.tal_freshness.reason is 'Explanation of the state';

create view warehouse.due_list as
select row_number() over (order by stale_at nulls first, domain) as rank, domain, name, source, state, reason, stale_at
from warehouse.tal_freshness where state in ('never', 'stale');
comment on view warehouse.due_list is 'Members due for enrichment, most urgent first: members that have never been enriched, then those that have been stale longest';
comment on column warehouse.due_list.rank is 'Position in the list, starting at 1';
comment on column warehouse.due_list.domain is 'Member';
comment on column warehouse.due_list.name is 'Display name of the company';
comment on column warehouse.due_list.source is 'Tag that the client assigned when it added the company';
comment on column warehouse.due_list.state is 'never or stale';
comment on column warehouse.due_list.reason is 'Reason the member is due';
comment on column warehouse.due_list.stale_at is 'Time at which the record became stale. Null if the member has never been enriched';

create view warehouse.group_freshness as
with told as (
  -- If the service does not report when it searched for people and news, the times of completed tasks are used instead.
  select bool_or(leadership_enriched_at is not null) as leadership, bool_or(signals_enriched_at is not null) as signals
  from warehouse.company
),
tried as (
  select domain, submission.kind as field_group,
    max(submission.intended_at) filter (where submission.outcome_at is not null) as last_attempt_at,
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
      -- As in tal_freshness, an attempt that finds no data delays the next one.
      case when last_attempt_at - interval '10 minutes' > coalesce(enriched_at, '-infinity') then last_attempt_at + least(max_age_days, 7) * interval '1 day' end
    )
  end as due_at
from looked;
comment on view warehouse.group_freshness is 'Due times of each member''s people and news, if the nightly run enriches them (pipelines.enrich.groups)';
comment on column warehouse.group_freshness.domain is 'Member';
comment on column warehouse.group_freshness.field_group is 'leadership or signals';
comment on column warehouse.group_freshness.units is 'Price per company in units';
comment on column warehouse.group_freshness.enriched_at is 'Time of the latest search for this group. Null if there was none';
comment on column warehouse.group_freshness.last_attempt_at is 'Submission time of the latest finished paid request';
comment on column warehouse.group_freshness.max_age_days is 'Age in days at which the record becomes stale';
comment on column warehouse.group_freshness.due_at is 'Time at which the group is due: the current time if the group has never been searched. Null while a search is in progress';

create view warehouse.units_forecast as
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
comment on view warehouse.units_forecast is 'Units required for the enrichment that becomes due on each of the next 14 nights. Work that exceeds a night''s budget moves to the next night';
comment on column warehouse.units_forecast.night is 'Night';
comment on column warehouse.units_forecast.never_enriched is 'Number of members that have never been enriched';
comment on column warehouse.units_forecast.becoming_stale is 'Number of members that become stale or can be retried';
comment on column warehouse.units_forecast.units is 'Total units, including units for people and news if these groups are enriched';

create table warehouse.freshness_by_night (
  night date not null,
  state text not null,
  members integer not null,
  run_id bigint not null,
  primary key (night, state)
);
comment on table warehouse.freshness_by_night is 'Number of members in each freshness state, recorded by each nightly run';
comment on column warehouse.freshness_by_night.night is 'Night';
comment on column warehouse.freshness_by_night.state is 'never, stale, due_soon, fresh, pending or failing';
comment on column warehouse.freshness_by_night.members is 'Number of members in this state';
comment on column warehouse.freshness_by_night.run_id is 'Run that recorded the row';
