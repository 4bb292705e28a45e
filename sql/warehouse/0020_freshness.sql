create table warehouse.freshness_target (
  source text not null,
  max_age_days double precision not null,
  due_soon_days double precision not null,
  constraint freshness_target_pk primary key (source),
  constraint freshness_target_age_is_positive check (max_age_days > 0)
);
comment on table warehouse.freshness_target is 'How old a member''s record may grow, by the tag it was added with. Follows the settings.';
comment on column warehouse.freshness_target.source is 'The tag; empty for all others';
comment on column warehouse.freshness_target.max_age_days is 'Days after which a record is stale';
comment on column warehouse.freshness_target.due_soon_days is 'Days before that in which it is due soon';

create table warehouse.submission (
  submission_key text collate "C" not null,
  kind text not null,
  night date not null,
  domains text[] not null,
  max_age_days double precision,
  quoted_units integer not null,
  state text not null default 'intent',
  task_id text,
  units_charged integer,
  units_refunded integer,
  reason text,
  intended_at timestamptz not null default now(),
  submitted_at timestamptz,
  reconciled_at timestamptz,
  run_id bigint not null,
  constraint submission_pk primary key (submission_key),
  constraint submission_kind_is_known check (kind in ('list', 'batch')),
  constraint submission_state_is_known check (state in ('intent', 'submitted', 'completed', 'failed', 'refused', 'void', 'unknown'))
);
create unique index submission_task_is_one on warehouse.submission (task_id) where task_id is not null;
create index submission_open on warehouse.submission (state) where state in ('intent', 'submitted', 'unknown');
comment on table warehouse.submission is 'Paid work: what was intended, what was quoted, what came of it. The row is there before the service is asked.';
comment on column warehouse.submission.submission_key is 'Follows from night, kind and companies; sent as Idempotency-Key';
comment on column warehouse.submission.kind is 'list: the whole target account list, of which the service takes what is stale. batch: these companies';
comment on column warehouse.submission.night is 'The night that paid for it';
comment on column warehouse.submission.domains is 'The companies';
comment on column warehouse.submission.max_age_days is 'What was given to a list submission';
comment on column warehouse.submission.quoted_units is 'What it was expected to cost';
comment on column warehouse.submission.state is 'intent: may or may not have reached the service. submitted: a task is under way. completed, failed: the task has ended. refused: the service declined. void: it never reached the service. unknown: the service cannot tell, and a person should look';
comment on column warehouse.submission.task_id is 'The task at the service';
comment on column warehouse.submission.units_charged is 'Units charged when it was accepted';
comment on column warehouse.submission.units_refunded is 'Units given back at its end';
comment on column warehouse.submission.reason is 'Why it did not go as intended';
comment on column warehouse.submission.intended_at is 'When the row was written';
comment on column warehouse.submission.submitted_at is 'When the service accepted it';
comment on column warehouse.submission.reconciled_at is 'When its end was known';
comment on column warehouse.submission.run_id is 'The run that intended it';

create view warehouse.tal_freshness as
with tried as (
  select domain, max(submission.intended_at) filter (where submission.reconciled_at is not null) as last_attempt_at,
    bool_or(submission.state in ('intent', 'submitted', 'unknown')) as open
  from warehouse.submission, unnest(domains) as domain
  where submission.state in ('intent', 'submitted', 'unknown', 'completed', 'failed')
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
comment on view warehouse.tal_freshness is 'How fresh each member is, and why: never, stale, due_soon, fresh, pending or failing.';
comment on column warehouse.tal_freshness.domain is 'The member';
comment on column warehouse.tal_freshness.name is 'Name of the company';
comment on column warehouse.tal_freshness.source is 'The tag it was added with';
comment on column warehouse.tal_freshness.enrichment_status is 'How its last enrichment ended';
comment on column warehouse.tal_freshness.enriched_at is 'When its fields were last found';
comment on column warehouse.tal_freshness.max_age_days is 'Days it may grow old';
comment on column warehouse.tal_freshness.stale_at is 'When it is, or was, too old';
comment on column warehouse.tal_freshness.last_attempt_at is 'When paid work on it that has ended was last asked for';
comment on column warehouse.tal_freshness.not_before is 'Not before then is another try worth its unit';
comment on column warehouse.tal_freshness.state is 'never, stale, due_soon, fresh, pending or failing';
comment on column warehouse.tal_freshness.reason is 'Why, in words';

create view warehouse.due_list as
select row_number() over (order by stale_at nulls first, domain) as rank, domain, name, source, state, reason, stale_at
from warehouse.tal_freshness where state in ('never', 'stale');
comment on view warehouse.due_list is 'Members that are due for enrichment, the most urgent first: never enriched ones, then the stalest.';
comment on column warehouse.due_list.rank is 'Place in the queue';
comment on column warehouse.due_list.domain is 'The member';
comment on column warehouse.due_list.name is 'Name of the company';
comment on column warehouse.due_list.source is 'The tag it was added with';
comment on column warehouse.due_list.state is 'never or stale';
comment on column warehouse.due_list.reason is 'Why it is due';
comment on column warehouse.due_list.stale_at is 'Since when it is stale; null: never enriched';

create view warehouse.units_forecast as
select night::date as night,
  count(freshness.domain) filter (where freshness.state = 'never')::integer as never_enriched,
  count(freshness.domain) filter (where freshness.state <> 'never')::integer as becoming_stale,
  count(freshness.domain)::integer as units
from generate_series(current_date, current_date + 13, interval '1 day') as night
left join warehouse.tal_freshness freshness
  on freshness.state <> 'pending'
  and greatest(coalesce(freshness.stale_at, now()), coalesce(freshness.not_before, now()), now())::date = night::date
group by night
order by night;
comment on view warehouse.units_forecast is 'Units that become due on each of the next fourteen nights, one a company. What the budget of a night does not hold waits for the next.';
comment on column warehouse.units_forecast.night is 'The night';
comment on column warehouse.units_forecast.never_enriched is 'Members that were never enriched';
comment on column warehouse.units_forecast.becoming_stale is 'Members that grow too old, or are worth another try';
comment on column warehouse.units_forecast.units is 'Units in all';

create table warehouse.freshness_by_night (
  night date not null,
  state text not null,
  members integer not null,
  run_id bigint not null,
  constraint freshness_by_night_pk primary key (night, state)
);
comment on table warehouse.freshness_by_night is 'How fresh the list was, night by night';
comment on column warehouse.freshness_by_night.night is 'The night';
comment on column warehouse.freshness_by_night.state is 'never, stale, due_soon, fresh, pending or failing';
comment on column warehouse.freshness_by_night.members is 'Members in that state when the night looked';
comment on column warehouse.freshness_by_night.run_id is 'The run that looked';
