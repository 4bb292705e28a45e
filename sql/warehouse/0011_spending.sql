-- Spending: the service's unit ledger, with totals by company, kind, night and attribute.

create table warehouse.ledger_line (
  ledger_id text not null,
  entry_id bigint not null,
  item integer not null,
  kind text not null,
  units bigint not null,
  task_id text,
  task_type text,
  entity text,
  domain text collate "C",
  groups text[] not null default '{}',
  reason text,
  created_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  run_id bigint not null,
  primary key (ledger_id, entry_id, item)
);
-- Used to find the newest line of the most recently pulled ledger.
create index ledger_line_by_run on warehouse.ledger_line (run_id, entry_id, item);
create index ledger_line_by_created_at on warehouse.ledger_line (created_at);
create index ledger_line_by_domain on warehouse.ledger_line (domain, created_at) where domain is not null;
comment on table warehouse.ledger_line is 'The service''s unit ledger, one row per company or person in an entry. The units of an entry''s rows add up to the entry''s units. Contains no names of people. Includes tasks submitted by other programs that use the same client';
comment on column warehouse.ledger_line.ledger_id is 'Id of the ledger. Each client of each service has a separate ledger';
comment on column warehouse.ledger_line.entry_id is 'Ledger entry. Increases over time within a ledger; may have gaps';
comment on column warehouse.ledger_line.item is 'Item of the task, or 0 for the whole entry';
comment on column warehouse.ledger_line.kind is 'charge, refund, grant (by an operator) or period_start (the plan''s units are added and unused plan units expire)';
comment on column warehouse.ledger_line.units is 'Signed number of units. Charges are negative';
comment on column warehouse.ledger_line.task_id is 'Task that was charged for or refunded. Join key for submission and history_event';
comment on column warehouse.ledger_line.task_type is 'Type of the task';
comment on column warehouse.ledger_line.entity is 'Type of the enriched record: company or person. Null if the entry has no task';
comment on column warehouse.ledger_line.domain is 'Enriched company, or company of the enriched person';
comment on column warehouse.ledger_line.groups is 'Requested groups: company, leadership, signals';
comment on column warehouse.ledger_line.reason is 'Reason for a grant or refund';
comment on column warehouse.ledger_line.created_at is 'Time at which the entry was booked';
comment on column warehouse.ledger_line.recorded_at is 'Time at which the warehouse ingested the row';
comment on column warehouse.ledger_line.run_id is 'Run that ingested the row';

create view warehouse.spending as
select
  ledger_line.ledger_id, ledger_line.entry_id, ledger_line.item, ledger_line.created_at,
  date_trunc('month', ledger_line.created_at at time zone 'UTC')::date as month,
  case when submission.task_id is not null then 'nights' else 'others' end as requester,
  ledger_line.kind, -ledger_line.units as units, ledger_line.task_id, ledger_line.task_type, ledger_line.entity, ledger_line.domain,
  ledger_line.groups, ledger_line.reason
from warehouse.ledger_line
left join warehouse.submission on submission.task_id = ledger_line.task_id
where ledger_line.kind in ('charge', 'refund');
comment on view warehouse.spending is 'Charges and refunds, with the requester of each';
comment on column warehouse.spending.ledger_id is 'Id of the ledger';
comment on column warehouse.spending.entry_id is 'Ledger entry';
comment on column warehouse.spending.item is 'Item of the task, or 0 for the whole entry';
comment on column warehouse.spending.created_at is 'Time at which the entry was booked';
comment on column warehouse.spending.month is 'First day of the month, in UTC';
comment on column warehouse.spending.requester is 'nights: a nightly run of this warehouse. others: another program or person';
comment on column warehouse.spending.kind is 'charge or refund';
comment on column warehouse.spending.units is 'Units spent; negative for a refund';
comment on column warehouse.spending.task_id is 'Task that was charged for or refunded';
comment on column warehouse.spending.task_type is 'Type of the task';
comment on column warehouse.spending.entity is 'Type of the enriched record: company or person';
comment on column warehouse.spending.domain is 'Enriched company, or company of the enriched person';
comment on column warehouse.spending.groups is 'Requested groups: company, leadership, signals';
comment on column warehouse.spending.reason is 'Reason for a refund';

create view warehouse.company_spending as
select domain, month,
  coalesce(sum(units) filter (where kind = 'charge'), 0)::bigint as charged,
  coalesce(-sum(units) filter (where kind = 'refund'), 0)::bigint as refunded,
  sum(units)::bigint as units
from warehouse.spending where domain is not null
group by domain, month;
comment on view warehouse.company_spending is 'Units spent on each company and its people, by month';
comment on column warehouse.company_spending.domain is 'Company';
comment on column warehouse.company_spending.month is 'First day of the month, in UTC. A refund belongs to the month in which it was booked';
comment on column warehouse.company_spending.charged is 'Units charged';
comment on column warehouse.company_spending.refunded is 'Units refunded';
comment on column warehouse.company_spending.units is 'Units charged, minus refunds';

create view warehouse.spending_by_kind as
select month, requester, task_type,
  count(*) filter (where kind = 'charge') as items,
  coalesce(sum(units) filter (where kind = 'charge'), 0)::bigint as charged,
  coalesce(-sum(units) filter (where kind = 'refund'), 0)::bigint as refunded,
  sum(units)::bigint as units
from warehouse.spending
group by month, requester, task_type;
comment on view warehouse.spending_by_kind is 'Units spent by month, requester and task type';
comment on column warehouse.spending_by_kind.month is 'First day of the month, in UTC. A refund belongs to the month in which it was booked';
comment on column warehouse.spending_by_kind.requester is 'nights: nightly runs of this warehouse. others: another program or person';
comment on column warehouse.spending_by_kind.task_type is 'Type of the task';
comment on column warehouse.spending_by_kind.items is 'Number of companies and people charged for';
comment on column warehouse.spending_by_kind.charged is 'Units charged';
comment on column warehouse.spending_by_kind.refunded is 'Units refunded';
comment on column warehouse.spending_by_kind.units is 'Units charged, minus refunds';

create table warehouse.forecast_by_night (
  made_on date not null,
  night date not null,
  units integer not null,
  run_id bigint not null,
  primary key (made_on, night)
);
comment on table warehouse.forecast_by_night is 'Nightly copies of `units_forecast`, for comparing forecasts with spending';
comment on column warehouse.forecast_by_night.made_on is 'Night on which the forecast was made, after enrichment finished';
comment on column warehouse.forecast_by_night.night is 'Forecast night';
comment on column warehouse.forecast_by_night.units is 'Units expected to become due';
comment on column warehouse.forecast_by_night.run_id is 'Run that recorded the forecast';

create view warehouse.forecast_accuracy as
with spent as (
  -- Assigns each task, with its later refunds, to the night whose budget paid for it.
  select submission.night, sum(spending.units)::bigint as units
  from warehouse.spending join warehouse.submission using (task_id)
  group by submission.night
)
select forecast.night, forecast.made_on, forecast.units as forecast_units, coalesce(spent.units, 0) as spent_units
from (
  select distinct on (night) night, made_on, units from warehouse.forecast_by_night where made_on < night order by night, made_on desc
) as forecast
left join spent on spent.night = forecast.night
where exists (select from warehouse.forecast_by_night as later where later.made_on >= forecast.night);
comment on view warehouse.forecast_accuracy is 'Last forecast and actual spending for each past night';
comment on column warehouse.forecast_accuracy.night is 'Night';
comment on column warehouse.forecast_accuracy.made_on is 'Night on which the forecast was made';
comment on column warehouse.forecast_accuracy.forecast_units is 'Units expected to become due';
comment on column warehouse.forecast_accuracy.spent_units is 'Units charged for the night''s submissions, minus their refunds. Lower than the forecast if the budget was reached';

create view warehouse.tal_attribute as
select tal_member.domain, attribute.name, attribute.value
from warehouse.tal_member,
  jsonb_each_text(case jsonb_typeof(attributes) when 'object' then attributes else '{}' end) as attribute (name, value)
where gone_at is null;
comment on view warehouse.tal_attribute is 'Attributes of current members, one row per value';
comment on column warehouse.tal_attribute.domain is 'Member';
comment on column warehouse.tal_attribute.name is 'Name of the attribute, such as owner';
comment on column warehouse.tal_attribute.value is 'Value of the attribute';

create view warehouse.attribute_summary as
select tal_attribute.name, tal_attribute.value,
  count(*)::integer as members,
  count(*) filter (where freshness.state in ('fresh', 'due_soon'))::integer as fresh,
  count(*) filter (where freshness.state in ('never', 'stale'))::integer as due,
  coalesce(sum(spent.units), 0)::bigint as units
from warehouse.tal_attribute
left join warehouse.tal_freshness as freshness on freshness.domain = tal_attribute.domain
left join (select domain, sum(units) as units from warehouse.company_spending group by domain) as spent on spent.domain = tal_attribute.domain
group by tal_attribute.name, tal_attribute.value;
comment on view warehouse.attribute_summary is 'Freshness and spending of current members by attribute';
comment on column warehouse.attribute_summary.name is 'Name of the attribute, such as owner';
comment on column warehouse.attribute_summary.value is 'Value of the attribute';
comment on column warehouse.attribute_summary.members is 'Number of members with this value';
comment on column warehouse.attribute_summary.fresh is 'Number of members with this value that were enriched within their maximum age';
comment on column warehouse.attribute_summary.due is 'Number of members with this value that are stale or have never been enriched';
comment on column warehouse.attribute_summary.units is 'Units spent on members with this value so far, minus refunds';
