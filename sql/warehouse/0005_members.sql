-- Companies on the target account list, with their people, signals and history.

create table warehouse.tal_member (
  domain text collate "C" primary key,
  source text,
  attributes jsonb,
  added_at timestamptz,
  first_seen_at timestamptz not null default now(),
  last_changed_at timestamptz not null default now(),
  gone_at timestamptz,
  extra jsonb,
  run_id bigint not null,
  row_hash text not null
);
comment on table warehouse.tal_member is 'Companies on the target account list. A company that was removed from the list keeps its row, with gone_at set';
comment on column warehouse.tal_member.domain is 'Registrable domain. Join key for company, person, signal and history_event';
comment on column warehouse.tal_member.source is 'Tag that the client assigned when it added the company';
comment on column warehouse.tal_member.attributes is 'Values that the client assigned to the list entry, keyed by name, such as {"owner": "Kim", "tier": "1"}. See the `tal_attribute` view';
comment on column warehouse.tal_member.added_at is 'Time at which the company was added to the list. Null if not reported by the service';
comment on column warehouse.tal_member.first_seen_at is 'Time at which the warehouse first ingested the entry';
comment on column warehouse.tal_member.last_changed_at is 'Time at which the row last changed';
comment on column warehouse.tal_member.gone_at is 'Time of the first complete pull that did not include the company. Null for a current member';
comment on column warehouse.tal_member.extra is 'Fields that have no column here, keyed by the service''s field names. Null if there are none';
comment on column warehouse.tal_member.run_id is 'Run that last wrote the row';
comment on column warehouse.tal_member.row_hash is 'Hash of the values, used to detect changes';

create table warehouse.company (
  domain text collate "C" primary key,
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
  pending_since timestamptz,
  first_seen_at timestamptz not null default now(),
  last_changed_at timestamptz not null default now(),
  gone_at timestamptz,
  extra jsonb,
  run_id bigint not null,
  row_hash text not null
);
comment on table warehouse.company is 'Companies on the target account list, as returned by the service';
comment on column warehouse.company.domain is 'Registrable domain';
comment on column warehouse.company.name is 'Display name';
comment on column warehouse.company.legal_name is 'Full legal name';
comment on column warehouse.company.description is 'The company''s description of itself';
comment on column warehouse.company.industry is 'Industry, as named by the winning source';
comment on column warehouse.company.employee_count is 'Number of employees';
comment on column warehouse.company.employee_range is 'Employee count range, such as 11-50';
comment on column warehouse.company.headquarters_street is 'Headquarters: street';
comment on column warehouse.company.headquarters_city is 'Headquarters: city';
comment on column warehouse.company.headquarters_state is 'Headquarters: state or province';
comment on column warehouse.company.headquarters_postal_code is 'Headquarters: postal code';
comment on column warehouse.company.headquarters_country is 'Headquarters: English country name';
comment on column warehouse.company.phone is 'Telephone number';
comment on column warehouse.company.social_url is 'Profile URL on a professional network';
comment on column warehouse.company.logo_url is 'Logo URL';
comment on column warehouse.company.founded_year is 'Year in which the company was founded';
comment on column warehouse.company.in_formadv is 'Whether a firm on the latest Form ADV roster has a website with this domain. Join with firm.website_domain';
comment on column warehouse.company.enrichment_status is 'Result of the latest enrichment: none, pending, complete, partial, not_found or failed';
comment on column warehouse.company.status_reason is 'Which data is missing and why, if the status is not complete';
comment on column warehouse.company.enriched_at is 'Time of the latest enrichment that found company fields. Null if there was none';
comment on column warehouse.company.leadership_enriched_at is 'Time of the latest search for people. Null if there was no search, or if not reported by the service';
comment on column warehouse.company.signals_enriched_at is 'Time of the latest search for news. Null if there was no search, or if not reported by the service';
comment on column warehouse.company.retry_at is 'Earliest time to retry a failed enrichment';
comment on column warehouse.company.history_at is 'Time of the latest change to the company or its people. Null if not reported by the service';
comment on column warehouse.company.pending_since is 'Time at which enrichment_status became pending. Null if the status is not pending';
comment on column warehouse.company.first_seen_at is 'Time at which the warehouse first ingested the company';
comment on column warehouse.company.last_changed_at is 'Time at which the values last changed or the company was marked as gone';
comment on column warehouse.company.gone_at is 'Time at which the company left the target account list. Null for a current member';
comment on column warehouse.company.extra is 'Fields that have no column here, keyed by the service''s field names. Null if there are none';
comment on column warehouse.company.run_id is 'Run that last wrote the row';
comment on column warehouse.company.row_hash is 'Hash of the values, used to detect changes';

create table warehouse.person (
  company_domain text collate "C" not null,
  person_key text collate "C" not null,
  person_id text,
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
  extra jsonb,
  run_id bigint not null,
  row_hash text not null,
  primary key (company_domain, person_key)
);
create index person_by_email_hash on warehouse.person (email_hash);
comment on table warehouse.person is 'Current people at companies on the target account list. The next pull moves people who have left their company into `former_person`. It deletes people whom the service no longer returns, and people at companies that are no longer on the list';
comment on column warehouse.person.company_domain is 'Company';
comment on column warehouse.person.person_key is 'email_hash if the person has an address; otherwise the service''s person id or, if there is none, a hash of name and title';
comment on column warehouse.person.person_id is 'The service''s id for the person. Null if the service returns none';
comment on column warehouse.person.email_hash is 'First 16 hexadecimal digits of the SHA-256 hash of the email address in lower case. Identifies the person in the service''s API';
comment on column warehouse.person.email is 'Email address';
comment on column warehouse.person.email_status is 'published, derived (from the domain''s known address pattern) or guessed';
comment on column warehouse.person.email_confidence is 'Probability that the address is correct, 0 to 1';
comment on column warehouse.person.full_name is 'Full name as written in the source';
comment on column warehouse.person.first_name is 'Given name';
comment on column warehouse.person.last_name is 'Family name';
comment on column warehouse.person.title is 'Job title as written in the source';
comment on column warehouse.person.seniority is 'Seniority level: executive, director, manager, ...';
comment on column warehouse.person.department is 'Department';
comment on column warehouse.person.company_name is 'Display name of the company';
comment on column warehouse.person.phone is 'Telephone number';
comment on column warehouse.person.social_url is 'Profile URL on a professional network';
comment on column warehouse.person.enrichment_status is 'Result of the latest enrichment';
comment on column warehouse.person.enriched_at is 'Time of the latest enrichment that confirmed or changed the record';
comment on column warehouse.person.is_leader is 'Whether the person is on the company''s leadership list';
comment on column warehouse.person.first_seen_at is 'Time at which the warehouse first ingested the person';
comment on column warehouse.person.last_changed_at is 'Time at which the values last changed';
comment on column warehouse.person.extra is 'Fields that have no column here, keyed by the service''s field names. Null if there are none';
comment on column warehouse.person.run_id is 'Run that last wrote the row';
comment on column warehouse.person.row_hash is 'Hash of the values, used to detect changes';

create table warehouse.former_person (
  company_domain text collate "C" not null,
  person_key text collate "C" not null,
  person_id text not null,
  email_hash text,
  full_name text,
  title text,
  seniority text,
  department text,
  social_url text,
  is_leader boolean not null,
  first_seen_at timestamptz not null,
  gone_at timestamptz not null default now(),
  run_id bigint not null,
  primary key (company_domain, person_key)
);
create index former_person_by_gone_at on warehouse.former_person (gone_at);
comment on table warehouse.former_person is 'People who were in `person` and have left the company, according to the service. Their history events are kept. A row is deleted after the number of days in `pipelines.members.former_people_days`, or earlier if the company leaves the list or the person is erased';
comment on column warehouse.former_person.company_domain is 'Company that the person left';
comment on column warehouse.former_person.person_key is 'The person''s last person_key in `person`';
comment on column warehouse.former_person.person_id is 'The service''s id for the person at this company';
comment on column warehouse.former_person.email_hash is 'First 16 hexadecimal digits of the SHA-256 hash of the last email address in lower case. Null if no address was known';
comment on column warehouse.former_person.full_name is 'Full name as written in the source';
comment on column warehouse.former_person.title is 'Last job title';
comment on column warehouse.former_person.seniority is 'Last seniority level';
comment on column warehouse.former_person.department is 'Last department';
comment on column warehouse.former_person.social_url is 'Profile URL on a professional network';
comment on column warehouse.former_person.is_leader is 'Whether the person was on the company''s leadership list';
comment on column warehouse.former_person.first_seen_at is 'Time at which the warehouse first ingested the person';
comment on column warehouse.former_person.gone_at is 'Time of the first complete pull that did not include the person';
comment on column warehouse.former_person.run_id is 'Run that found the person missing';

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
  extra jsonb,
  run_id bigint not null,
  row_hash text not null,
  primary key (company_domain, signal_key)
);
create index signal_by_published_on on warehouse.signal (published_on);
comment on table warehouse.signal is 'News about companies on the target account list, such as funding, hiring and awards';
comment on column warehouse.signal.company_domain is 'Company';
comment on column warehouse.signal.signal_key is 'Hash of type, date, URL and headline';
comment on column warehouse.signal.type is 'Funding, Expansion, Leadership Change, Product Launch, Partnership, Acquisition, Hiring, Award, Regulatory or Technology';
comment on column warehouse.signal.headline is 'Headline as published';
comment on column warehouse.signal.published_on is 'Publication date. Null if not stated by the source';
comment on column warehouse.signal.url is 'URL of the story';
comment on column warehouse.signal.source is 'Source of the story';
comment on column warehouse.signal.confidence is 'Probability that the type and the company are correct, 0 to 1';
comment on column warehouse.signal.about is 'Evidence that the story is about this company';
comment on column warehouse.signal.first_seen_at is 'Time at which the warehouse first ingested the story';
comment on column warehouse.signal.last_changed_at is 'Time at which the values last changed';
comment on column warehouse.signal.extra is 'Fields that have no column here, keyed by the service''s field names. Null if there are none';
comment on column warehouse.signal.run_id is 'Run that last wrote the row';
comment on column warehouse.signal.row_hash is 'Hash of the values, used to detect changes';

create table warehouse.history_event (
  domain text collate "C" not null,
  event_key text collate "C" not null,
  entity text not null,
  key text not null,
  person_id text,
  kind text,
  field text not null,
  old_value jsonb,
  new_value jsonb,
  changed_at timestamptz not null,
  position integer not null default 0,
  source text,
  task_id text,
  extra jsonb,
  raw jsonb,
  recorded_at timestamptz not null default now(),
  run_id bigint not null,
  primary key (domain, entity, key, event_key)
);
create index history_event_by_record on warehouse.history_event (domain, entity, key, changed_at);
create index history_event_by_changed_at on warehouse.history_event (changed_at);
comment on table warehouse.history_event is 'Changes to company and person fields, one row per changed field. Append-only';
comment on column warehouse.history_event.domain is 'Domain of the company, or of the person''s company';
comment on column warehouse.history_event.event_key is 'The service''s event id, which is unique within a record, or a hash of the event if the service sends no id';
comment on column warehouse.history_event.entity is 'company or person';
comment on column warehouse.history_event.key is 'Domain of the company, or person_key of the person or former person';
comment on column warehouse.history_event.person_id is 'The service''s person id, which does not change with the email address. Null for companies, or if the service sends no person id';
comment on column warehouse.history_event.kind is 'created (first value of the field), updated or removed. Null if not reported by the service';
comment on column warehouse.history_event.field is 'Changed field';
comment on column warehouse.history_event.old_value is 'Previous value. Null if unknown';
comment on column warehouse.history_event.new_value is 'New value. Null if the value is no longer known';
comment on column warehouse.history_event.changed_at is 'Time of the change, to the microsecond';
comment on column warehouse.history_event.position is 'Position among the record''s events with the same time, oldest first';
comment on column warehouse.history_event.source is 'Source of the new value';
comment on column warehouse.history_event.task_id is 'Task that caused the change';
comment on column warehouse.history_event.recorded_at is 'Time at which the warehouse ingested the event';
comment on column warehouse.history_event.run_id is 'Run that ingested the event';
comment on column warehouse.history_event.extra is 'Fields that have no column here, keyed by the service''s field names. Null if there are none';
comment on column warehouse.history_event.raw is 'Event as received. Null if raw records are not kept, or if the record is identical to the row, as for events from talhouse. `talhouse replay` translates the record again';

create table sync.member_state (
  domain text collate "C" primary key,
  fingerprint text,
  fetched_at timestamptz not null default now(),
  run_id bigint not null
);
comment on table sync.member_state is 'State of the last ingestion of each member''s company, people and news';
comment on column sync.member_state.domain is 'Member';
comment on column sync.member_state.fingerprint is 'Hash of the member''s list entry at the last ingestion. If the current entry has a different hash, the record is fetched again. Null if changes cannot be detected from the entry, in which case the record is always fetched';
comment on column sync.member_state.fetched_at is 'Time of the last ingestion';
comment on column sync.member_state.run_id is 'Run that last ingested the member';

-- The tables for list pulls are unlogged to save WAL. If a PostgreSQL crash empties them, a run in progress fails
-- without marking members as gone, and the next run starts a new pull.
create unlogged table sync.list_pull (
  pipeline text primary key,
  run_id bigint not null,
  url text not null,
  attempt integer not null default 1,
  checkpoint jsonb,
  inserted integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  quarantined integer not null default 0,
  started_at timestamptz not null default now(),
  closed_at timestamptz
);
comment on table sync.list_pull is 'Latest pull of the target account list by each pipeline. If a run dies, the next run resumes its pull from the checkpoint';
comment on column sync.list_pull.pipeline is 'tal-members or refresh-members';
comment on column sync.list_pull.run_id is 'Run that last worked on the pull';
comment on column sync.list_pull.url is 'URL of the service';
comment on column sync.list_pull.attempt is 'Number of the attempt. If the list changes during an attempt, it is pulled again from the first page';
comment on column sync.list_pull.checkpoint is 'Position after the last committed page: cursor, page size and received totals. Stored in the transaction that writes the page. Null before the first page, after the last page and for services without cursors';
comment on column sync.list_pull.inserted is 'Rows inserted by the current run from the list''s pages';
comment on column sync.list_pull.updated is 'Rows updated by the current run from the list''s pages';
comment on column sync.list_pull.unchanged is 'Rows that the current run found unchanged';
comment on column sync.list_pull.quarantined is 'Entries that the current run rejected';
comment on column sync.list_pull.started_at is 'Start of the pull';
comment on column sync.list_pull.closed_at is 'End of the pull. Null if it has not ended or its run died';

create unlogged table sync.list_entry (
  pipeline text not null,
  domain text collate "C" not null,
  attempt integer not null,
  fingerprint text,
  is_full_pull_due boolean not null,
  primary key (pipeline, domain)
);
comment on table sync.list_entry is 'Domains received by the current pull of each pipeline. At the end of the pull, live members that were not received are marked as gone, and the rows are deleted';
comment on column sync.list_entry.pipeline is 'Pipeline that pulls the list';
comment on column sync.list_entry.domain is 'Member';
comment on column sync.list_entry.attempt is 'Last attempt that received the entry. An entry that is missing from the last attempt has left the list';
comment on column sync.list_entry.fingerprint is 'Hash of the entry when the pull first received it; compare member_state.fingerprint';
comment on column sync.list_entry.is_full_pull_due is 'Whether to fetch the record even if the entry has not changed';

create table sync.raw_record (
  domain text collate "C" not null,
  entity text not null check (entity in ('company', 'person', 'leader', 'signal')),
  position integer not null,
  record jsonb not null,
  persons_incomplete text,
  received_at timestamptz not null default now(),
  run_id bigint not null,
  primary key (domain, entity, position)
);
comment on table sync.raw_record is 'Latest records received for each member, before translation of field names and values. `talhouse replay` repeats the translation';
comment on column sync.raw_record.domain is 'Member';
comment on column sync.raw_record.entity is 'company, person, leader (on the leadership list) or signal';
comment on column sync.raw_record.position is 'Position in the list, starting at 0';
comment on column sync.raw_record.record is 'Record as received. A company''s leaders and signals are stored in separate rows. JSON null if the service has no record of the company';
comment on column sync.raw_record.persons_incomplete is 'In the company''s row, the reason people may be missing. Null if all people were received';
comment on column sync.raw_record.received_at is 'Time at which the record was first received in this form';
comment on column sync.raw_record.run_id is 'Run that first received the record in this form';

create function warehouse.company_as_of(moment timestamptz)
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
comment on function warehouse.company_as_of(timestamptz) is 'Companies known at a point in time, with their fields at that time as JSON, reconstructed from the current record by undoing later history events. Before the first ingestion of a company, fields without events are null. Fails if the history of recent changes has not been pulled yet';

-- Text, dates and timestamps without an offset are interpreted as UTC, regardless of the session's time zone.
create function warehouse.company_as_of(moment text) returns table (domain text, fields jsonb)
language sql stable set timezone to 'UTC' as $$ select * from warehouse.company_as_of(moment::timestamptz) $$;
comment on function warehouse.company_as_of(text) is 'Companies as they were at a point in time. Times without an offset are in UTC. Example: select * from warehouse.company_as_of(''2026-09-01'');';
create function warehouse.company_as_of(moment timestamp) returns table (domain text, fields jsonb)
language sql stable begin atomic select * from warehouse.company_as_of(moment at time zone 'UTC'); end;
comment on function warehouse.company_as_of(timestamp) is 'Companies as they were at a point in time, in UTC';
create function warehouse.company_as_of(moment date) returns table (domain text, fields jsonb)
language sql stable begin atomic select * from warehouse.company_as_of(moment::timestamp at time zone 'UTC'); end;
comment on function warehouse.company_as_of(date) is 'Companies as they were at the start of a day, in UTC';
