-- Typed changes to companies and firms, and news. Finding a value for the first time does not indicate a real-world
-- change.

create view warehouse.company_moved as
with change as (
  select domain, coalesce(task_id, changed_at::text) as change, field, old_value #>> '{}' as old_value, new_value #>> '{}' as new_value, changed_at, source, task_id
  from warehouse.history_event
  where entity = 'company' and field in ('headquarters_city', 'headquarters_state', 'headquarters_country')
),
moved as (
  select domain, change, max(changed_at) as changed_at, min(source) as source, min(task_id) as task_id
  from change
  where warehouse.plain_text(old_value) <> warehouse.plain_text(new_value)
  group by domain, change
)
select moved.domain, company.name as company_name, moved.changed_at, part.old_city, part.old_state, part.old_country,
  part.new_city, part.new_state, part.new_country, moved.source, moved.task_id
from moved
join warehouse.company on company.domain = moved.domain
cross join lateral (
  select
    max(part.before) filter (where part.field = 'headquarters_city') as old_city, max(part.before) filter (where part.field = 'headquarters_state') as old_state,
    max(part.before) filter (where part.field = 'headquarters_country') as old_country, max(part.after) filter (where part.field = 'headquarters_city') as new_city,
    max(part.after) filter (where part.field = 'headquarters_state') as new_state, max(part.after) filter (where part.field = 'headquarters_country') as new_country
  from (
    select field.field, case when own.field is null then unchanged.value else own.old_value end as before,
      case when own.field is null then unchanged.value else own.new_value end as after
    from unnest(array['headquarters_city', 'headquarters_state', 'headquarters_country']) as field (field)
    left join change as own on own.domain = moved.domain and own.change = moved.change and own.field = field.field
    cross join lateral (
      select coalesce((
        select jsonb_build_array(later.old_value) from change as later
        where later.domain = moved.domain and later.field = field.field and later.changed_at > moved.changed_at order by later.changed_at limit 1
      ), jsonb_build_array(to_jsonb(company) ->> field.field)) ->> 0 as value
    ) as unchanged
  ) as part
) as part;
comment on view warehouse.company_moved is 'View of companies whose headquarters moved to another city, state or country, one row per move. The first known location does not count as a move';
comment on column warehouse.company_moved.domain is 'Company';
comment on column warehouse.company_moved.company_name is 'Display name of the company';
comment on column warehouse.company_moved.changed_at is 'Time at which the service detected the change';
comment on column warehouse.company_moved.old_city is 'City before the move';
comment on column warehouse.company_moved.old_state is 'State or province before the move';
comment on column warehouse.company_moved.old_country is 'Country before the move';
comment on column warehouse.company_moved.new_city is 'City after the move';
comment on column warehouse.company_moved.new_state is 'State or province after the move';
comment on column warehouse.company_moved.new_country is 'Country after the move';
comment on column warehouse.company_moved.source is 'Source of the new location';
comment on column warehouse.company_moved.task_id is 'Task that detected the change';

create view warehouse.assets_changed as
select firm_id, crd_number, legal_name, state, website_domain as domain, valid_from as changed_at, old_usd, aum_total_usd as new_usd,
  aum_total_usd - old_usd as amount_usd, round(100 * (aum_total_usd - old_usd) / nullif(old_usd, 0), 2) as percent
from (
  select firm_version.*, lag(aum_total_usd) over (partition by firm_id order by valid_from) as old_usd from warehouse.firm_version
) as version
where old_usd <> aum_total_usd;
comment on view warehouse.assets_changed is 'View of changes in firms'' total regulatory assets under management, one row per change. The first known amount does not count as a change';
comment on column warehouse.assets_changed.firm_id is 'Firm';
comment on column warehouse.assets_changed.crd_number is 'Organization CRD number';
comment on column warehouse.assets_changed.legal_name is 'Full legal name after the change';
comment on column warehouse.assets_changed.state is 'State of the principal office after the change';
comment on column warehouse.assets_changed.domain is 'Registrable domain of the website. Join key for company';
comment on column warehouse.assets_changed.changed_at is 'Date of the roster that contains the new amount, if the service reports that date; otherwise the time of the pull';
comment on column warehouse.assets_changed.old_usd is 'Previous amount in US dollars';
comment on column warehouse.assets_changed.new_usd is 'New amount in US dollars';
comment on column warehouse.assets_changed.amount_usd is 'Difference in US dollars; negative for a decrease';
comment on column warehouse.assets_changed.percent is 'Change as a percentage of the previous amount. Null if the previous amount was 0';

create view warehouse.signal_event as
select signal.company_domain as domain, company.name as company_name, signal.signal_key, signal.type, signal.headline, signal.url, signal.source, signal.confidence,
  signal.published_on,
  coalesce(signal.published_on, case when signal.first_seen_at > earliest.first_seen_at then (signal.first_seen_at at time zone 'UTC')::date end) as happened_on,
  signal.first_seen_at
from warehouse.signal
join (select company_domain, min(first_seen_at) as first_seen_at from warehouse.signal group by company_domain) as earliest
  on earliest.company_domain = signal.company_domain
left join warehouse.company on company.domain = signal.company_domain;
comment on view warehouse.signal_event is 'View of news stories with their dates. A story first seen today may have been published earlier';
comment on column warehouse.signal_event.domain is 'Company';
comment on column warehouse.signal_event.company_name is 'Display name of the company';
comment on column warehouse.signal_event.signal_key is 'signal_key of the row in signal';
comment on column warehouse.signal_event.type is 'Signal type, as in `signal`';
comment on column warehouse.signal_event.headline is 'Headline as published';
comment on column warehouse.signal_event.url is 'URL of the story';
comment on column warehouse.signal_event.source is 'Source of the story';
comment on column warehouse.signal_event.confidence is 'Probability that the type and the company are correct, 0 to 1';
comment on column warehouse.signal_event.published_on is 'Publication date. Null if not stated by the source';
comment on column warehouse.signal_event.happened_on is 'Publication date or, if unknown, the day on which the warehouse first ingested the story. Null for an undated story from the first pull of the company''s news';
comment on column warehouse.signal_event.first_seen_at is 'Time at which the warehouse first ingested the story';
