-- Typed changes and careers, derived from the history. A value or person found for the first time does not indicate a
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
comment on function warehouse.person_name_key(text) is 'Comparison key of a name: its first and last words in lower case, without accents, titles and suffixes';

create view warehouse.person_identity as
with people as (
  select company_domain, person_key, person_id, email_hash, full_name, title, seniority, is_leader, social_url, first_seen_at, null::timestamptz as gone_at
  from warehouse.person
  union all
  select company_domain, person_key, person_id, email_hash, full_name, title, seniority, is_leader, social_url, first_seen_at, gone_at
  from warehouse.former_person
),
numbered as (
  select people.*, row_number() over (order by first_seen_at, company_domain, person_key) as number,
    warehouse.person_name_key(full_name) as name_key,
    regexp_replace(regexp_replace(lower(trim(social_url)), '^(https?://)?(www\.|m\.|[a-z]{2}\.(?=linkedin\.com/))?', ''), '/*([?#].*)?$', '') as profile
  from people
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
-- Two rounds link each record to the earliest record that shares an identifying mark with it, directly or via one other
-- record.
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
comment on view warehouse.person_identity is 'View of current and former people, with one identity per person across companies. Two records describe the same person if they share a person_id, a name and an email address, or a name and a profile URL. Records that share only a name are treated as different people';
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

create view warehouse.leadership_change as
with event as (
  select identity.identity, identity.full_name, identity.company_domain as domain, identity.person_key, identity.person_id,
    event.field, event.old_value #>> '{}' as old_value, event.new_value #>> '{}' as new_value, event.changed_at, event.position, event.source, event.task_id
  from warehouse.person_identity as identity
  join warehouse.history_event as event
    on event.entity = 'person' and event.domain = identity.company_domain and event.key = identity.person_key
    and (event.person_id is null or identity.person_id is null or event.person_id = identity.person_id)
  where event.field in ('full_name', 'title', 'left_at')
),
appearance as (
  select identity.company_domain as domain, identity.person_key, identity.full_name, coalesce(first.changed_at, identity.first_seen_at) as changed_at,
    first.source, first.task_id, coalesce(first.task_id, date_trunc('hour', first.changed_at)::text) as search
  from warehouse.person_identity as identity
  left join (
    select distinct on (domain, person_key) domain, person_key, changed_at, source, task_id
    from event where field = 'full_name' and old_value is null order by domain, person_key, changed_at, position
  ) as first on first.domain = identity.company_domain and first.person_key = identity.person_key
),
-- For each search of a source, the number of people found there for the first time and the number found there by
-- earlier searches.
search as (
  select domain, source, search, found, coalesce(sum(found) over (
    partition by domain, source order by at, search rows between unbounded preceding and 1 preceding), 0) as known
  from (
    select domain, source, search, count(*) as found, min(changed_at) as at
    from appearance where source is not null group by domain, source, search
  ) as found
),
change as (
  select appearance.domain, appearance.person_key,
    case when news.published_on is not null or search.known >= search.found then 'joined' else 'first_seen' end as kind,
    case when news.published_on is not null then 'news' when search.known >= search.found then 'listed' end as evidence,
    coalesce(news.published_on::timestamp at time zone 'UTC', appearance.changed_at) as changed_at, appearance.changed_at as seen_at,
    null as old_title, null as new_title, appearance.source, appearance.task_id, true as is_first
  from appearance
  left join search on search.domain = appearance.domain and search.source = appearance.source and search.search = appearance.search
  left join lateral (
    select signal.published_on from warehouse.signal
    where signal.company_domain = appearance.domain and signal.type = 'Leadership Change'
      and position(' ' || warehouse.plain_text(appearance.full_name) || ' ' in ' ' || warehouse.plain_text(signal.headline) || ' ') > 0
      and signal.headline !~* '\m(steps? down|stepping down|resigns?|retires?|departs?|leaves|leaving|exits?)\M'
      and signal.published_on between (appearance.changed_at at time zone 'UTC')::date - 90 and (appearance.changed_at at time zone 'UTC')::date
    order by signal.published_on limit 1
  ) as news on true
  union all
  select domain, person_key, case when new_value is null then 'joined' else 'left' end, case when new_value is null then 'returned' else 'unlisted' end,
    changed_at, changed_at, null, null, source, task_id, false
  from event where field = 'left_at' and (old_value is null) <> (new_value is null)
  union all
  select domain, person_key, 'title_changed', 'listed', changed_at, changed_at, old_value, new_value, source, task_id, false
  from event
  where field = 'title' and warehouse.plain_text(old_value) <> warehouse.plain_text(new_value)
)
select identity.identity, change.domain, company.name as company_name, change.person_key, identity.person_id, identity.full_name, change.kind, change.evidence,
  coalesce(change.new_title, title.new_value, identity.title) as title, change.old_title, identity.seniority, identity.is_leader,
  change.changed_at, change.source, change.task_id
from change
join warehouse.person_identity as identity on identity.company_domain = change.domain and identity.person_key = change.person_key
left join warehouse.company on company.domain = change.domain
left join lateral (
  -- The first title of a new person, otherwise the last title before the change. A new person's name and title are
  -- written in one transaction, but the title's changed_at is a few microseconds later.
  select event.new_value from event
  where event.domain = change.domain and event.person_key = change.person_key and event.field = 'title'
    and event.changed_at <= change.seen_at + case when change.is_first then interval '1 second' else interval '0' end
  order by case when change.is_first then event.changed_at end, case when change.is_first then event.position end,
    event.changed_at desc, event.position desc
  limit 1
) as title on true;
comment on view warehouse.leadership_change is 'View of people who joined or left a company or changed their title, from the history. A person found for the first time has the kind first_seen unless there is evidence that the person is new at the company: news from the previous 90 days names the person, or an earlier search of the same source listed people at the company but not this person. If a search finds more new people in a source than all earlier searches found there, such as on a newly found page, the new people have the kind first_seen';
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
comment on column warehouse.leadership_change.changed_at is 'Publication date of the news, otherwise the time at which the service found the change';
comment on column warehouse.leadership_change.source is 'Source of the change. Null if the service reports no history of the person';
comment on column warehouse.leadership_change.task_id is 'Task that found the change';

create view warehouse.person_career as
select identity.identity, change.full_name, change.domain, change.company_name, change.person_key, change.title,
  change.changed_at as from_at, change.kind as from_kind, coalesce(change.next_at, identity.gone_at) as to_at, change.next_kind as to_kind
from (
  select leadership_change.*, lead(changed_at) over person as next_at, lead(kind) over person as next_kind
  from warehouse.leadership_change
  window person as (partition by domain, person_key order by changed_at, kind in ('joined', 'first_seen') desc)
) as change
join warehouse.person_identity as identity on identity.company_domain = change.domain and identity.person_key = change.person_key
where change.kind <> 'left';
comment on view warehouse.person_career is 'View of positions of current and former people at companies on the target account list, one row per company and title';
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
comment on column warehouse.account_mover.from_title is 'Last title there';
comment on column warehouse.account_mover.left_at is 'Time at which the service found that the person had left';
comment on column warehouse.account_mover.to_domain is 'Next company at which the person was found';
comment on column warehouse.account_mover.to_company is 'Display name of the next company';
comment on column warehouse.account_mover.to_title is 'First title there';
comment on column warehouse.account_mover.found_at is 'Time at which the person joined the next company or was found there';
comment on column warehouse.account_mover.found_kind is 'joined or first_seen, as in leadership_change';

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
comment on column warehouse.company_moved.changed_at is 'Time at which the service found the change';
comment on column warehouse.company_moved.old_city is 'City before the move';
comment on column warehouse.company_moved.old_state is 'State or province before the move';
comment on column warehouse.company_moved.old_country is 'Country before the move';
comment on column warehouse.company_moved.new_city is 'City after the move';
comment on column warehouse.company_moved.new_state is 'State or province after the move';
comment on column warehouse.company_moved.new_country is 'Country after the move';
comment on column warehouse.company_moved.source is 'Source of the new location';
comment on column warehouse.company_moved.task_id is 'Task that found the change';

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
comment on column warehouse.signal_event.type is 'Signal type, as in the table signal';
comment on column warehouse.signal_event.headline is 'Headline as published';
comment on column warehouse.signal_event.url is 'URL of the story';
comment on column warehouse.signal_event.source is 'Source of the story';
comment on column warehouse.signal_event.confidence is 'Probability that the type and the company are correct, 0 to 1';
comment on column warehouse.signal_event.published_on is 'Publication date. Null if the source does not state it';
comment on column warehouse.signal_event.happened_on is 'Publication date, otherwise the day on which the story first appeared among the company''s known stories. Null for an undated story in the first pull of the company''s news';
comment on column warehouse.signal_event.first_seen_at is 'Time at which the warehouse first ingested the story';
