-- Industries are also classified by NAICS, because the sites' own phrases cannot be grouped.

alter table warehouse.company add column naics_code text, add column naics_title text;
comment on column warehouse.company.naics_code is 'Six-digit code of the industry in NAICS 2022';
comment on column warehouse.company.naics_title is 'Title of the NAICS code';

create or replace function warehouse.company_as_of(moment timestamptz)
returns table (domain text, fields jsonb)
language plpgsql stable set timezone to 'UTC' as $$
#variable_conflict use_column
declare
  history_start timestamptz := (select last_ok_started_at from warehouse.run_status where pipeline = 'history');
  unsure record;
begin
  if moment > now() then
    raise exception 'companies are unknown as of %: this time is in the future', moment;
  end if;
  select count(*) as companies, min(company.domain) as example into unsure
  from warehouse.company
  where company.gone_at is null and moment < company.last_changed_at and company.last_changed_at > coalesce(history_start, '-infinity');
  if unsure.companies > 0 then
    raise exception 'companies are uncertain as of %: % changed after the latest complete pull of the history (%), such as %',
      moment, unsure.companies, coalesce(history_start::text, 'none'), unsure.example
      using hint = 'Run talhouse run history.';
  end if;
  return query
  with event as (
    -- A change is considered effective no later than the time at which the warehouse received it, even if the service
    -- reported a later date.
    select event.domain, event.field, event.old_value, least(event.changed_at, event.recorded_at) as at, event.changed_at, event.position, event.event_key
    from warehouse.history_event event where event.entity = 'company'
  ),
  known as (
    select event.domain, min(event.at) as since, array_agg(distinct event.field) filter (where event.at <= moment) as fields
    from event group by event.domain
  ),
  undone as (
    select first_after.domain, jsonb_object_agg(first_after.field, first_after.old_value) as fields
    from (
      select distinct on (event.domain, event.field) event.domain, event.field, event.old_value
      from event where event.at > moment
      order by event.domain, event.field, event.at, event.changed_at, event.position, event.event_key
    ) first_after
    group by first_after.domain
  )
  select
    company.domain,
    (
      select jsonb_object_agg(current.name,
        case
          when undone.fields ? current.name then undone.fields -> current.name
          -- For times before the first pull, a value is known only if an event contains it.
          when moment >= company.first_seen_at or current.name = any (known.fields) then current.value
          else 'null'
        end)
      from jsonb_each(jsonb_build_object(
        'name', company.name, 'legal_name', company.legal_name, 'description', company.description, 'industry', company.industry,
        'naics_code', company.naics_code, 'naics_title', company.naics_title,
        'employee_count', company.employee_count, 'employee_range', company.employee_range,
        'headquarters_street', company.headquarters_street, 'headquarters_city', company.headquarters_city,
        'headquarters_state', company.headquarters_state, 'headquarters_postal_code', company.headquarters_postal_code,
        'headquarters_country', company.headquarters_country, 'phone', company.phone, 'social_url', company.social_url,
        'logo_url', company.logo_url, 'founded_year', company.founded_year
      )) as current (name, value)
    )
  from warehouse.company
  left join known on known.domain = company.domain
  left join undone on undone.domain = company.domain
  where moment >= least(company.first_seen_at, known.since) and (company.gone_at is null or moment < company.gone_at);
end
$$;

-- Columns can be added to a view only at its end.
create or replace view bi.account as
select
  member.domain, coalesce(company.name, member.domain) as account_name, member.source as list_source, member.attributes ->> 'owner' as owner,
  member.attributes ->> 'tier' as tier, member.attributes ->> 'segment' as segment, company.industry, company.employee_count as employees,
  company.headquarters_city as city, company.headquarters_state as state, company.headquarters_country as country, company.founded_year,
  adviser.adviser_id, adviser.assets_usd, people.contacts, people.leaders, news.signals, news.latest_signal_on,
  company.enriched_at, member.added_at,
  company.naics_code, company.naics_title
from warehouse.tal_member member
left join warehouse.company on company.domain = member.domain and company.gone_at is null
left join lateral (
  select adviser_id, assets_usd from bi.adviser where domain = member.domain order by assets_usd desc nulls last, adviser_id limit 1
) adviser on true
left join lateral (
  select count(*) as contacts, count(*) filter (where is_leader) as leaders from warehouse.person where company_domain = member.domain
) people on true
left join lateral (
  select count(*) as signals, max(published_on) as latest_signal_on from warehouse.signal where company_domain = member.domain
) news on true
where member.gone_at is null;
comment on column bi.account.naics_code is 'Six-digit code of the industry in NAICS 2022';
comment on column bi.account.naics_title is 'Title of the NAICS code';
