-- Personnel changes and careers, derived from the history. Finding a person for the first time does not indicate a
-- real-world change.

create function warehouse.plain_text(value text) returns text
immutable parallel safe language sql
return trim(regexp_replace(lower(value), '[[:space:][:punct:]]+', ' ', 'g'));
comment on function warehouse.plain_text(text) is 'Text normalized for comparison: lower-case words separated by single spaces, without punctuation';

create function warehouse.person_name_key(full_name text) returns text
immutable parallel safe language sql
return (
  select case when cardinality(word) > 1 then word[1] || ' ' || word[cardinality(word)] else word[1] end
  from (
    select array_remove(regexp_split_to_array(regexp_replace(
      lower(regexp_replace(normalize(full_name, NFKD), '[\u0300-\u036f''’.]', '', 'g')),
      '^(mr|mrs|ms|miss|dr|prof|professor|sir|dame|hon|rev)\s|[\s,](jr|sr|ii|iii|iv|esq|phd|md|cfa|cpa|cfp|mba|jd|caia)\M', ' ', 'g'),
      '[\s,;/()-]+'), '') as word
  ) as words
);
comment on function warehouse.person_name_key(text) is 'Comparison key of a name: its first and last words in lower case, without accents, titles or suffixes';

create view sync.known_person as
select company_domain, person_key, person_id, email_hash, full_name, title, seniority, is_leader, social_url, first_seen_at, null::timestamptz as gone_at
from warehouse.person
union all
select company_domain, person_key, person_id, email_hash, full_name, title, seniority, is_leader, social_url, first_seen_at, gone_at
from warehouse.former_person;
comment on view sync.known_person is 'View of current and former people';
comment on column sync.known_person.company_domain is 'Company';
comment on column sync.known_person.person_key is 'person_key of the row in person or former_person';
comment on column sync.known_person.person_id is 'The service''s id for the person at this company';
comment on column sync.known_person.email_hash is 'Hash of the email address';
comment on column sync.known_person.full_name is 'Full name as written in the source';
comment on column sync.known_person.title is 'Current or last job title';
comment on column sync.known_person.seniority is 'Current or last seniority level';
comment on column sync.known_person.is_leader is 'Whether the person is or was on the company''s leadership list';
comment on column sync.known_person.social_url is 'URL of the profile page';
comment on column sync.known_person.first_seen_at is 'Time at which the warehouse first ingested the person';
comment on column sync.known_person.gone_at is 'Time of the first complete pull that did not include the person. Null for a current person';

create view warehouse.person_identity as
with numbered as (
  select known_person.*, row_number() over (order by first_seen_at, company_domain, person_key) as number,
    warehouse.person_name_key(full_name) as name_key,
    regexp_replace(regexp_replace(lower(trim(social_url)), '^(https?://)?(www\.|m\.|[a-z]{2}\.(?=linkedin\.com/))?', ''), '/*([?#].*)?$', '') as profile
  from sync.known_person
),
mark as (
  select number, mark.value
  from numbered, lateral (values
    ('record ' || company_domain || ' ' || person_key),
    ('id ' || person_id),
    ('address ' || email_hash || ' ' || name_key),
    ('profile ' || nullif(profile, '') || ' ' || name_key)
  ) as mark (value)
  where mark.value is not null
),
-- Two rounds link each record to the earliest record with a matching identifier, directly or through one other record.
near as (
  select number, min(lowest) as first from (select number, min(number) over (partition by value) as lowest from mark) as shared group by number
),
far as (
  select number, min(lowest) as first
  from (select mark.number, min(near.first) over (partition by mark.value) as lowest from mark join near using (number)) as shared
  group by number
)
select coalesce(earliest.person_id, earliest.company_domain || '/' || earliest.person_key) as identity,
  numbered.company_domain, numbered.person_key, numbered.person_id, numbered.full_name, numbered.title, numbered.seniority, numbered.is_leader,
  numbered.first_seen_at, numbered.gone_at
from numbered
join far using (number)
join numbered as earliest on earliest.number = far.first;
comment on view warehouse.person_identity is 'View of current and former people, with one identity per person across companies. Two records describe the same person if they share a person_id, a name plus an email address, or a name plus a profile URL. Records that share only a name are treated as different people';
comment on column warehouse.person_identity.identity is 'Identity of the person: person_id of the earliest record, or that record''s company and person_key if the service sends no person_id';
comment on column warehouse.person_identity.company_domain is 'Company';
comment on column warehouse.person_identity.person_key is 'person_key of the row in person or former_person, and of its history events';
comment on column warehouse.person_identity.person_id is 'The service''s id for the person at this company';
comment on column warehouse.person_identity.full_name is 'Full name as written in the source';
comment on column warehouse.person_identity.title is 'Current or last job title';
comment on column warehouse.person_identity.seniority is 'Current or last seniority level';
comment on column warehouse.person_identity.is_leader is 'Whether the person is or was on the company''s leadership list';
comment on column warehouse.person_identity.first_seen_at is 'Time at which the warehouse first ingested the person';
comment on column warehouse.person_identity.gone_at is 'Time of the first complete pull that did not include the person. Null for a current person';

create table sync.person_change (
  domain text collate "C" not null,
  person_key text not null,
  event_key text collate "C" not null,
  kind text not null,
  evidence text,
  changed_at timestamptz not null,
  title text,
  old_title text,
  source text,
  task_id text,
  primary key (domain, person_key, event_key)
);
create index person_change_by_kind on sync.person_change (kind, changed_at desc);
comment on table sync.person_change is 'Changes to current and former people, as returned by classify_person_changes. Triggers on the classified tables keep the rows current. See the `leadership_change` view';
comment on column sync.person_change.domain is 'Company';
comment on column sync.person_change.person_key is 'person_key of the row in person or former_person';
comment on column sync.person_change.event_key is 'History event of the change. Empty for a person without history';
comment on column sync.person_change.kind is 'joined, left, title_changed or first_seen';
comment on column sync.person_change.evidence is 'news, listed, returned or unlisted. Null for first_seen';
comment on column sync.person_change.changed_at is 'Publication date if the evidence is news; otherwise the time at which the service detected the change';
comment on column sync.person_change.title is 'Title after the change, or the last title of a person who left. Null if the history contains no title';
comment on column sync.person_change.old_title is 'Title before the change. Null unless the title changed';
comment on column sync.person_change.source is 'Source of the change';
comment on column sync.person_change.task_id is 'Task that detected the change';

create function sync.classify_person_changes(company text) returns setof sync.person_change
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
    select signal.published_on from warehouse.signal
    where signal.company_domain = company and signal.type = 'Leadership Change'
      and position(' ' || warehouse.plain_text(appearance.full_name) || ' ' in ' ' || warehouse.plain_text(signal.headline) || ' ') > 0
      and signal.headline !~* '\m(steps? down|stepping down|resigns?|retires?|departs?|leaves|leaving|exits?)\M'
      and signal.published_on between (appearance.changed_at at time zone 'UTC')::date - 90 and (appearance.changed_at at time zone 'UTC')::date
    order by signal.published_on limit 1
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
comment on function sync.classify_person_changes(text) is 'Changes to a company''s current and former people, derived from its history and its news';

create function sync.refresh_person_changes() returns trigger language plpgsql as $$
declare
  company text;
begin
  for company in execute format(
    case tg_op
      when 'INSERT' then 'select distinct %1$s as domain from after where %3$s'
      when 'DELETE' then 'select distinct %1$s as domain from before where %3$s'
      else 'with old as (select %1$s as domain, %2$s from before where %3$s), new as (select %1$s as domain, %2$s from after where %3$s)
        select distinct domain from ((table old except table new) union all (table new except table old)) as written'
    end || ' order by domain', tg_argv[0], tg_argv[1], tg_argv[2])
  loop
    with current as materialized (
      select * from sync.classify_person_changes(company)
    ),
    removed as (
      delete from sync.person_change
      where domain = company and (person_key, event_key) not in (select person_key, event_key from current)
    )
    insert into sync.person_change
    table current except select * from sync.person_change where domain = company
    on conflict (domain, person_key, event_key) do update set
      kind = excluded.kind, evidence = excluded.evidence, changed_at = excluded.changed_at, title = excluded.title,
      old_title = excluded.old_title, source = excluded.source, task_id = excluded.task_id;
  end loop;
  return null;
end
$$;
comment on function sync.refresh_person_changes() is 'Recomputes a company''s changes after a statement changes its people, history or news. Arguments: the domain column, the columns that the classification reads, and a row filter';

do $$
declare
  input record;
  arguments text;
begin
  for input in
    select * from (values
      ('person', 'company_domain', 'person_key, person_id, full_name, first_seen_at', 'true'),
      ('former_person', 'company_domain', 'person_key, person_id, full_name, first_seen_at', 'true'),
      ('signal', 'company_domain', 'signal_key, headline, published_on', 'type = ''Leadership Change'''),
      ('history_event', 'domain', 'key, event_key, person_id, field, old_value, new_value, changed_at, position, source, task_id',
        'entity = ''person'' and field in (''full_name'', ''title'', ''left_at'')')
    ) as input (name, domain, columns, condition)
  loop
    arguments := format('%L, %L, %L', input.domain, input.columns, input.condition);
    execute format('create trigger %1$s_inserted after insert on warehouse.%1$s referencing new table as after
      for each statement execute function sync.refresh_person_changes(%2$s)', input.name, arguments);
    execute format('create trigger %1$s_updated after update on warehouse.%1$s referencing old table as before new table as after
      for each statement execute function sync.refresh_person_changes(%2$s)', input.name, arguments);
    execute format('create trigger %1$s_deleted after delete on warehouse.%1$s referencing old table as before
      for each statement execute function sync.refresh_person_changes(%2$s)', input.name, arguments);
  end loop;
end
$$;

create view warehouse.leadership_change as
select identity.identity, change.domain, company.name as company_name, change.person_key, person.person_id, person.full_name, change.kind, change.evidence,
  coalesce(change.title, person.title) as title, change.old_title, person.seniority, person.is_leader, change.changed_at, change.source, change.task_id
from sync.person_change as change
-- Every change has a matching person, but an outer join preserves the planner's row estimate.
left join sync.known_person as person on person.company_domain = change.domain and person.person_key = change.person_key
left join warehouse.company on company.domain = change.domain
-- Because the rows are distinct, the planner can omit this join from queries that do not read the identity.
left join (
  select distinct on (company_domain, person_key) company_domain, person_key, identity from warehouse.person_identity
) as identity on identity.company_domain = change.domain and identity.person_key = change.person_key;
comment on view warehouse.leadership_change is 'View of people who joined or left a company or changed their title, derived from the history. A person found for the first time has the kind first_seen unless there is evidence that the person is new at the company: news from the previous 90 days names the person, or an earlier search of the same source listed people at the company but not this person. If a search finds more new people in a source than all earlier searches combined, for example on a newly discovered page, these people have the kind first_seen';
comment on column warehouse.leadership_change.identity is 'Identity of the person across companies; see person_identity';
comment on column warehouse.leadership_change.domain is 'Company';
comment on column warehouse.leadership_change.company_name is 'Display name of the company';
comment on column warehouse.leadership_change.person_key is 'person_key of the row in person or former_person';
comment on column warehouse.leadership_change.person_id is 'The service''s id for the person at this company';
comment on column warehouse.leadership_change.full_name is 'Full name';
comment on column warehouse.leadership_change.kind is 'joined, left, title_changed or first_seen (found for the first time, but not known to be new at the company)';
comment on column warehouse.leadership_change.evidence is 'news (a headline reports the appointment), listed (the source had listed the company''s people before), returned (a source lists the person again) or unlisted (sources stopped listing the person). Null for first_seen';
comment on column warehouse.leadership_change.title is 'Title after the change, or the last title of a person who left';
comment on column warehouse.leadership_change.old_title is 'Title before the change. Null unless the title changed';
comment on column warehouse.leadership_change.seniority is 'Current or last seniority level';
comment on column warehouse.leadership_change.is_leader is 'Whether the person is or was on the company''s leadership list';
comment on column warehouse.leadership_change.changed_at is 'Publication date if the evidence is news; otherwise the time at which the service detected the change';
comment on column warehouse.leadership_change.source is 'Source of the change. Null if the service reports no history of the person';
comment on column warehouse.leadership_change.task_id is 'Task that detected the change';

create view warehouse.person_career as
select change.identity, change.full_name, change.domain, change.company_name, change.person_key, change.title,
  change.changed_at as from_at, change.kind as from_kind, coalesce(change.next_at, person.gone_at) as to_at, change.next_kind as to_kind
from (
  select leadership_change.*, lead(changed_at) over person as next_at, lead(kind) over person as next_kind
  from warehouse.leadership_change
  window person as (partition by domain, person_key order by changed_at, kind in ('joined', 'first_seen') desc)
) as change
join sync.known_person as person on person.company_domain = change.domain and person.person_key = change.person_key
where change.kind <> 'left';
comment on view warehouse.person_career is 'View of positions that current and former people hold or held at companies on the target account list, one row per company and title';
comment on column warehouse.person_career.identity is 'Identity of the person across companies; see person_identity';
comment on column warehouse.person_career.full_name is 'Full name';
comment on column warehouse.person_career.domain is 'Company';
comment on column warehouse.person_career.company_name is 'Display name of the company';
comment on column warehouse.person_career.person_key is 'person_key of the row in person or former_person';
comment on column warehouse.person_career.title is 'Job title in this period';
comment on column warehouse.person_career.from_at is 'Start of the period. If from_kind is first_seen, the position may have started earlier';
comment on column warehouse.person_career.from_kind is 'Kind of change that started the period: joined, first_seen or title_changed';
comment on column warehouse.person_career.to_at is 'End of the period. Null for a current position';
comment on column warehouse.person_career.to_kind is 'Kind of change that ended the period: left or title_changed. Null for a current position, or if the end was not reported';

create view warehouse.account_mover as
with stay as (
  select identity, domain, min(company_name) as company_name, min(from_at) as from_at,
    case when count(*) = count(to_at) then max(to_at) end as to_at,
    (array_agg(full_name order by from_at desc))[1] as full_name,
    (array_agg(title order by from_at))[1] as first_title, (array_agg(from_kind order by from_at))[1] as from_kind,
    (array_agg(title order by from_at desc))[1] as last_title
  from warehouse.person_career group by identity, domain
)
select distinct on (former.identity, former.domain)
  former.identity, later.full_name, former.domain as from_domain, former.company_name as from_company, former.last_title as from_title, former.to_at as left_at,
  later.domain as to_domain, later.company_name as to_company, later.first_title as to_title, later.from_at as found_at, later.from_kind as found_kind
from stay as former
join stay as later on later.identity = former.identity and later.domain <> former.domain
where former.to_at is not null and later.from_at > former.from_at and (later.to_at is null or later.to_at > former.to_at)
order by former.identity, former.domain, later.from_at;
comment on view warehouse.account_mover is 'View of people who left a company on the target account list and were then found at another company. People are matched as in person_identity';
comment on column warehouse.account_mover.identity is 'Identity of the person; see person_identity';
comment on column warehouse.account_mover.full_name is 'Full name at the new company';
comment on column warehouse.account_mover.from_domain is 'Company that the person left';
comment on column warehouse.account_mover.from_company is 'Display name of the company that the person left';
comment on column warehouse.account_mover.from_title is 'Last title at that company';
comment on column warehouse.account_mover.left_at is 'Time at which the service detected that the person had left';
comment on column warehouse.account_mover.to_domain is 'Next company at which the person was found';
comment on column warehouse.account_mover.to_company is 'Display name of the next company';
comment on column warehouse.account_mover.to_title is 'First title at the next company';
comment on column warehouse.account_mover.found_at is 'Time at which the person joined the next company or was found there';
comment on column warehouse.account_mover.found_kind is 'joined or first_seen, as in leadership_change';
