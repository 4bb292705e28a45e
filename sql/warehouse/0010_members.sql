-- Who is on the target account list.
create table warehouse.tal_member (
  domain text collate "C" not null,
  source text,
  added_at timestamptz,
  first_seen_at timestamptz not null default now(),
  last_changed_at timestamptz not null default now(),
  gone_at timestamptz,
  run_id bigint not null,
  row_hash text not null,
  constraint tal_member_pk primary key (domain)
);
comment on table warehouse.tal_member is 'Companies on the target account list. One that was taken off it stays, with gone_at.';
comment on column warehouse.tal_member.domain is 'Registrable domain: joins company, person, signal and history_event';
comment on column warehouse.tal_member.source is 'The tag given when it was added';
comment on column warehouse.tal_member.added_at is 'When it was put on the list; null where the service does not say';
comment on column warehouse.tal_member.first_seen_at is 'When the warehouse first saw it on the list';
comment on column warehouse.tal_member.last_changed_at is 'When its row changed last';
comment on column warehouse.tal_member.gone_at is 'When a complete pull no longer held it; null for a member of today';
comment on column warehouse.tal_member.run_id is 'The run that wrote the row last';
comment on column warehouse.tal_member.row_hash is 'Hash of the values: a pull compares it to tell what changed';

create table warehouse.company (
  domain text collate "C" not null,
  name text,
  legal_name text,
  description text,
  industry text,
  employee_count bigint,
  employee_range text,
  headquarters_street text,
  headquarters_city text,
  headquarters_state text,
  headquarters_postal_code text,
  headquarters_country text,
  phone text,
  social_url text,
  logo_url text,
  founded_year integer,
  in_formadv boolean,
  enrichment_status text,
  status_reason text,
  enriched_at timestamptz,
  leadership_enriched_at timestamptz,
  signals_enriched_at timestamptz,
  retry_at timestamptz,
  history_at timestamptz,
  first_seen_at timestamptz not null default now(),
  last_changed_at timestamptz not null default now(),
  gone_at timestamptz,
  run_id bigint not null,
  row_hash text not null,
  constraint company_pk primary key (domain)
);
comment on table warehouse.company is 'Companies of the target account list, as the service shows them.';
comment on column warehouse.company.domain is 'Registrable domain';
comment on column warehouse.company.name is 'The name it goes by';
comment on column warehouse.company.legal_name is 'Full legal name';
comment on column warehouse.company.description is 'What it says of itself';
comment on column warehouse.company.industry is 'Industry, in the words of the winning source';
comment on column warehouse.company.employee_count is 'Employees';
comment on column warehouse.company.employee_range is 'A band of employees, such as 11-50';
comment on column warehouse.company.headquarters_street is 'Head office: street';
comment on column warehouse.company.headquarters_city is 'Head office: city';
comment on column warehouse.company.headquarters_state is 'Head office: state or province';
comment on column warehouse.company.headquarters_postal_code is 'Head office: postal code';
comment on column warehouse.company.headquarters_country is 'Head office: English name of the country';
comment on column warehouse.company.phone is 'Telephone number';
comment on column warehouse.company.social_url is 'Profile address on a professional network';
comment on column warehouse.company.logo_url is 'Where its logo can be seen';
comment on column warehouse.company.founded_year is 'Year of foundation';
comment on column warehouse.company.in_formadv is 'Does a firm of the newest Form ADV roster name this domain as its own? Its fields are in firm, by website_domain';
comment on column warehouse.company.enrichment_status is 'none, pending, complete, partial, not_found or failed: how the last enrichment ended';
comment on column warehouse.company.status_reason is 'What is missing, and why';
comment on column warehouse.company.enriched_at is 'When its own fields were last found; null: never';
comment on column warehouse.company.leadership_enriched_at is 'When its people were last looked for';
comment on column warehouse.company.signals_enriched_at is 'When its news was last looked for';
comment on column warehouse.company.retry_at is 'When a source that was away is worth another try';
comment on column warehouse.company.history_at is 'Newest change of it or of its people that the service spoke of; null where it does not say';
comment on column warehouse.company.first_seen_at is 'When the warehouse first saw it';
comment on column warehouse.company.last_changed_at is 'When its values changed last, or it went';
comment on column warehouse.company.gone_at is 'When it was no longer a member; null for a company of today';
comment on column warehouse.company.run_id is 'The run that wrote the row last';
comment on column warehouse.company.row_hash is 'Hash of the values: a pull compares it to tell what changed';

create table warehouse.person (
  company_domain text collate "C" not null,
  person_key text collate "C" not null,
  email_hash text,
  email text,
  email_status text,
  email_confidence double precision,
  full_name text,
  first_name text,
  last_name text,
  title text,
  seniority text,
  department text,
  company_name text,
  phone text,
  social_url text,
  enrichment_status text,
  enriched_at timestamptz,
  is_leader boolean not null default false,
  first_seen_at timestamptz not null default now(),
  last_changed_at timestamptz not null default now(),
  run_id bigint not null,
  row_hash text not null,
  constraint person_pk primary key (company_domain, person_key)
);
create index person_by_email_hash on warehouse.person (email_hash);
comment on table warehouse.person is 'People at the members of the target account list. Whom the service no longer shows is erased here at the next pull, and so are the people of a company that left the list: nobody could keep them in step.';
comment on column warehouse.person.company_domain is 'The company';
comment on column warehouse.person.person_key is 'email_hash, or a hash of the name where no address is known';
comment on column warehouse.person.email_hash is 'First 16 hex digits of the SHA-256 of the lower-case address: the identifier at the service';
comment on column warehouse.person.email is 'The address';
comment on column warehouse.person.email_status is 'published, derived (from a pattern seen at the domain) or guessed';
comment on column warehouse.person.email_confidence is 'Probability that the address is right, 0 to 1';
comment on column warehouse.person.full_name is 'Name, as written at the source';
comment on column warehouse.person.first_name is 'Given name';
comment on column warehouse.person.last_name is 'Family name';
comment on column warehouse.person.title is 'Title, as written at the source';
comment on column warehouse.person.seniority is 'executive, director, manager, ...';
comment on column warehouse.person.department is 'Function within the company';
comment on column warehouse.person.company_name is 'The name the company goes by';
comment on column warehouse.person.phone is 'Telephone number';
comment on column warehouse.person.social_url is 'Profile address on a professional network';
comment on column warehouse.person.enrichment_status is 'How the last enrichment ended';
comment on column warehouse.person.enriched_at is 'When a source last confirmed or changed the record';
comment on column warehouse.person.is_leader is 'On the company''s leadership list';
comment on column warehouse.person.first_seen_at is 'When the warehouse first saw the person';
comment on column warehouse.person.last_changed_at is 'When the values changed last';
comment on column warehouse.person.run_id is 'The run that wrote the row last';
comment on column warehouse.person.row_hash is 'Hash of the values: a pull compares it to tell what changed';

create table warehouse.signal (
  company_domain text collate "C" not null,
  signal_key text collate "C" not null,
  type text not null,
  headline text,
  published_on date,
  url text,
  source text,
  confidence double precision,
  about text,
  first_seen_at timestamptz not null default now(),
  last_changed_at timestamptz not null default now(),
  run_id bigint not null,
  row_hash text not null,
  constraint signal_pk primary key (company_domain, signal_key)
);
create index signal_by_day on warehouse.signal (published_on);
comment on table warehouse.signal is 'What happened to the companies of the target account list: funding, hiring, awards, ...';
comment on column warehouse.signal.company_domain is 'The company';
comment on column warehouse.signal.signal_key is 'Hash of type, day, address and headline';
comment on column warehouse.signal.type is 'Funding, Expansion, Leadership Change, Product Launch, Partnership, Acquisition, Hiring, Award, Regulatory or Technology';
comment on column warehouse.signal.headline is 'As published';
comment on column warehouse.signal.published_on is 'The day it was published; null where the source does not say';
comment on column warehouse.signal.url is 'Where it can be read';
comment on column warehouse.signal.source is 'The source that found it';
comment on column warehouse.signal.confidence is 'Probability that the type is right and the story is about this company, 0 to 1';
comment on column warehouse.signal.about is 'Why the story is about this company';
comment on column warehouse.signal.first_seen_at is 'When the warehouse first saw it';
comment on column warehouse.signal.last_changed_at is 'When its values changed last';
comment on column warehouse.signal.run_id is 'The run that wrote the row last';
comment on column warehouse.signal.row_hash is 'Hash of the values: a pull compares it to tell what changed';

create table warehouse.history_event (
  domain text collate "C" not null,
  event_key text collate "C" not null,
  entity text not null,
  key text not null,
  field text not null,
  old_value jsonb,
  new_value jsonb,
  changed_at timestamptz not null,
  source text,
  task_id text,
  recorded_at timestamptz not null default now(),
  run_id bigint not null,
  constraint history_event_pk primary key (domain, event_key)
);
create index history_event_by_record on warehouse.history_event (domain, entity, key, changed_at);
create index history_event_by_time on warehouse.history_event (changed_at);
comment on table warehouse.history_event is 'One field of one record changed, from what to what, when, by which source. Written once, never changed.';
comment on column warehouse.history_event.domain is 'The company whose record, or whose person''s record, it is';
comment on column warehouse.history_event.event_key is 'The service''s id of the event, or a hash of its content where it gives none';
comment on column warehouse.history_event.entity is 'company or person';
comment on column warehouse.history_event.key is 'The domain, or the email_hash of the person';
comment on column warehouse.history_event.field is 'The field that changed';
comment on column warehouse.history_event.old_value is 'Before; null: nothing was known';
comment on column warehouse.history_event.new_value is 'After; null: no longer known';
comment on column warehouse.history_event.changed_at is 'When, to the microsecond';
comment on column warehouse.history_event.source is 'The source that said so';
comment on column warehouse.history_event.task_id is 'The task that brought it';
comment on column warehouse.history_event.recorded_at is 'When the warehouse took it in';
comment on column warehouse.history_event.run_id is 'The run that took it in';

-- Which state of a member's record has been taken in: what the list says of it then, as text. Another text means: look again.
create table sync.member_state (
  domain text collate "C" not null,
  fingerprint text,
  fetched_at timestamptz not null default now(),
  run_id bigint not null,
  constraint member_state_pk primary key (domain)
);
comment on table sync.member_state is 'Up to which state each member''s company, people and news have been taken in';
comment on column sync.member_state.domain is 'The member';
comment on column sync.member_state.fingerprint is 'What the list said of its record then; null where the list says nothing, and it is fetched every time';
comment on column sync.member_state.fetched_at is 'When it was taken in';
comment on column sync.member_state.run_id is 'The run that took it in';

-- A company as it was: its present record with every later change undone. Exact as far back as its history reaches.
create function warehouse.company_as_of(moment timestamptz)
returns table (domain text, fields jsonb)
language sql stable
begin atomic
  select
    company.domain,
    (
      jsonb_build_object(
        'name', company.name, 'legal_name', company.legal_name, 'description', company.description, 'industry', company.industry,
        'employee_count', company.employee_count, 'employee_range', company.employee_range,
        'headquarters_street', company.headquarters_street, 'headquarters_city', company.headquarters_city,
        'headquarters_state', company.headquarters_state, 'headquarters_postal_code', company.headquarters_postal_code,
        'headquarters_country', company.headquarters_country, 'phone', company.phone, 'social_url', company.social_url,
        'logo_url', company.logo_url, 'founded_year', company.founded_year
      ) || coalesce(undone.fields, '{}')
    )
  from warehouse.company
  left join lateral (
    select jsonb_object_agg(first_after.field, first_after.old_value) as fields
    from (
      select distinct on (event.field) event.field, event.old_value
      from warehouse.history_event event
      where event.domain = company.domain and event.entity = 'company' and event.changed_at > moment
      order by event.field, event.changed_at, event.event_key
    ) first_after
  ) undone on true;
end;
comment on function warehouse.company_as_of(timestamptz) is 'Companies as they were at a moment: domain, and the fields as JSON. Later changes are undone, newest first.';
