-- People at companies, distributed with their company.

create table person (
  company_domain text collate "C" not null,
  person_id uuid not null default gen_random_uuid(),
  email_hash text,
  email_digest text,
  email text,
  email_status text,
  email_confidence real,
  first_name text,
  last_name text,
  full_name text not null,
  name_key text not null,
  title text,
  seniority text,
  department text,
  phone text,
  social_url text,
  in_formadv boolean not null default false,
  enrichment_status text not null default 'none',
  enriched_at timestamptz,
  last_seen_at timestamptz not null,
  left_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_domain, person_id),
  constraint address_and_hashes_go_together
    check ((email is null) = (email_hash is null) and (email is null) = (email_digest is null)),
  constraint email_hash_begins_the_digest check (email_hash = left(email_digest, 16)),
  constraint enrichment_status_is_known
    check (enrichment_status in ('none', 'pending', 'complete', 'partial', 'not_found', 'failed'))
);
create index person_by_email_hash on person (email_hash) where email_hash is not null;
create index person_by_name_key on person (company_domain, name_key);
create index person_by_seniority on person (seniority, company_domain, person_id);
create index person_by_social_url on person (social_url) where social_url is not null;
create index person_by_name on person using gin (lower(full_name) gin_trgm_ops);
create index person_by_title on person using gin (lower(title) gin_trgm_ops);
comment on table person is 'A person seen at a company. Names and titles are as written at the source.';
comment on column person.company_domain is 'The company.';
comment on column person.person_id is 'Tells the people of one company apart. Random: it says nothing about the person.';
comment on column person.email_hash is 'First 16 hex digits of the SHA-256 of the lower-case address: the identifier in paths. Null: no address is known.';
comment on column person.email_digest is 'The whole digest, to tell two addresses apart that share the first 16 digits.';
comment on column person.email is 'The address.';
comment on column person.email_status is 'published, derived (from a pattern seen at the domain) or guessed.';
comment on column person.email_confidence is 'Probability that the address is this person''s, 0 to 1.';
comment on column person.first_name is 'Given name.';
comment on column person.last_name is 'Family name.';
comment on column person.full_name is 'The whole name.';
comment on column person.name_key is 'The name without case, accents, punctuation and order, to find the person again by.';
comment on column person.title is 'Job title, as written.';
comment on column person.seniority is 'executive, director, manager, ...';
comment on column person.department is 'Function within the company.';
comment on column person.phone is 'Telephone number.';
comment on column person.social_url is 'Profile address on a professional network.';
comment on column person.in_formadv is 'Does a Form ADV Schedule A or B name this person at this company?';
comment on column person.enrichment_status is 'none, pending, complete, partial, not_found or failed.';
comment on column person.enriched_at is 'When the record was last confirmed or changed by an enrichment.';
comment on column person.last_seen_at is 'When a source last showed the person at this company.';
comment on column person.left_at is 'When the sources that had shown the person no longer did. Null: still there.';
comment on column person.created_at is 'When the person became known.';
comment on column person.updated_at is 'When a field last changed.';

create table person_observation (
  company_domain text collate "C" not null,
  person_id uuid not null,
  source text not null,
  ordinal smallint not null,
  fields jsonb not null,
  url text,
  method text not null,
  confidence real not null,
  observed_at timestamptz not null,
  primary key (company_domain, person_id, source, ordinal),
  constraint confidence_is_a_probability check (confidence between 0 and 1)
);
comment on table person_observation is 'What one source says of one person: the provenance of the person''s fields.';
comment on column person_observation.company_domain is 'The company.';
comment on column person_observation.person_id is 'The person.';
comment on column person_observation.source is 'The provider that found it.';
comment on column person_observation.ordinal is 'Numbers the places in which one source shows the person.';
comment on column person_observation.fields is 'The fields it gave, by name.';
comment on column person_observation.url is 'Where a person can see it.';
comment on column person_observation.method is 'How it was read.';
comment on column person_observation.confidence is 'Probability that it is right, 0 to 1.';
comment on column person_observation.observed_at is 'When the source said so.';

create table person_email (
  email_hash text primary key,
  history_at timestamptz
);
comment on table person_email is 'The lock and the clock of an address: whoever writes a person who has it holds this row, so that the events under one hash follow each other even where two companies name the person.';
comment on column person_email.email_hash is 'As in person.';
comment on column person_email.history_at is 'changed_at of the newest event of a person with this address.';

create table suppressed_person (
  mac text primary key,
  suppressed_at timestamptz not null default now()
);
comment on table suppressed_person is 'People who asked to be forgotten: never stored again. Holds no name and no address, only keyed hashes of them.';
comment on column suppressed_person.mac is 'HMAC-SHA-256 of what a person is recognised by (hash of the address; company and name; profile address), under privacy_key.';
comment on column suppressed_person.suppressed_at is 'When.';

create table privacy_key (
  id boolean primary key default true,
  key bytea not null default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'),
  constraint there_is_one check (id)
);
insert into privacy_key default values;
comment on table privacy_key is 'The secret of the suppressionList, so that a copy of that table alone cannot be tried against lists of addresses.';
comment on column privacy_key.id is 'There is one row.';
comment on column privacy_key.key is 'Random, made with the database.';
