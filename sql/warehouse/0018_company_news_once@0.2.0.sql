-- The news of a company is read once, by the company. For each new person, the planner could choose the index on
-- published_on instead, and read the news of all companies in the 90 days before the person was found.

create or replace function sync.classify_person_changes(company text) returns setof sync.person_change
stable language sql
begin atomic
-- A returning person is briefly in both tables: the new row is inserted before the former one is deleted.
with person as materialized (
  select distinct on (person_key) person_key, person_id, full_name, first_seen_at
  from sync.known_person where company_domain = company order by person_key, gone_at nulls first
),
event as materialized (
  select person.person_key, event.event_key, event.field, event.old_value #>> '{}' as old_value, event.new_value #>> '{}' as new_value,
    event.changed_at, event.position, event.source, event.task_id
  from person
  join warehouse.history_event as event
    on event.domain = company and event.entity = 'person' and event.key = person.person_key
    and (event.person_id is null or person.person_id is null or event.person_id = person.person_id)
  where event.field in ('full_name', 'title', 'left_at')
),
appearance as (
  select person.person_key, person.full_name, first.event_key, coalesce(first.changed_at, person.first_seen_at) as changed_at,
    first.source, first.task_id, coalesce(first.task_id, date_trunc('hour', first.changed_at, 'UTC')::text) as search
  from person
  left join (
    select distinct on (person_key) person_key, event_key, changed_at, source, task_id
    from event where field = 'full_name' and old_value is null order by person_key, changed_at, position
  ) as first using (person_key)
),
news as materialized (
  select published_on, ' ' || warehouse.plain_text(headline) || ' ' as words
  from warehouse.signal
  where company_domain = company and type = 'Leadership Change'
    and headline !~* '\m(steps? down|stepping down|resigns?|retires?|departs?|leaves|leaving|exits?)\M'
),
-- For each search of a source: the number of people it found for the first time, and the number that earlier searches
-- found in that source.
search as (
  select source, search, found, coalesce(sum(found) over (
    partition by source order by at, search rows between unbounded preceding and 1 preceding), 0) as known
  from (
    select source, search, count(*) as found, min(changed_at) as at
    from appearance where source is not null group by source, search
  ) as found
),
change as (
  select appearance.person_key, coalesce(appearance.event_key, '') as event_key,
    case when news.published_on is not null or search.known >= search.found then 'joined' else 'first_seen' end as kind,
    case when news.published_on is not null then 'news' when search.known >= search.found then 'listed' end as evidence,
    coalesce(news.published_on::timestamp at time zone 'UTC', appearance.changed_at) as changed_at, appearance.changed_at as seen_at,
    null as old_title, null as new_title, appearance.source, appearance.task_id, true as is_first
  from appearance
  left join search on search.source = appearance.source and search.search = appearance.search
  left join lateral (
    select min(published_on) as published_on from news
    where position(' ' || warehouse.plain_text(appearance.full_name) || ' ' in words) > 0
      and published_on between (appearance.changed_at at time zone 'UTC')::date - 90 and (appearance.changed_at at time zone 'UTC')::date
  ) as news on true
  union all
  select person_key, event_key, case when new_value is null then 'joined' else 'left' end, case when new_value is null then 'returned' else 'unlisted' end,
    changed_at, changed_at, null, null, source, task_id, false
  from event where field = 'left_at' and (old_value is null) <> (new_value is null)
  union all
  select person_key, event_key, 'title_changed', 'listed', changed_at, changed_at, old_value, new_value, source, task_id, false
  from event
  where field = 'title' and warehouse.plain_text(old_value) <> warehouse.plain_text(new_value)
)
select company, change.person_key, change.event_key, change.kind, change.evidence, change.changed_at,
  coalesce(change.new_title, title.new_value), change.old_title, change.source, change.task_id
from change
left join lateral (
  -- Selects a new person's first title; for other changes, the last title before the change. A new person's name and
  -- title are written in one transaction, but the title's changed_at is a few microseconds later.
  select event.new_value from event
  where event.person_key = change.person_key and event.field = 'title'
    and event.changed_at <= change.seen_at + case when change.is_first then interval '1 second' else interval '0' end
  order by case when change.is_first then event.changed_at end, case when change.is_first then event.position end,
    event.changed_at desc, event.position desc
  limit 1
) as title on true;
end;
