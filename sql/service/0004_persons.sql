-- People at companies. A person's rows share the company's distribution key, its domain.

-- Defines the sort order of people at a company. Within a seniority level, the chief executive sorts first, followed
-- by other heads of the company.
create function leadership_rank(seniority text, title text) returns smallint
immutable parallel safe language sql
return (
  10 * coalesce(array_position(
    array['executive', 'partner', 'board', 'vice_president', 'director', 'manager', 'senior', 'staff', 'junior'], seniority), 10)
  + case
      when title ~* '\m(vice|deputy|assistant|former|regional|divisional)\M' then 2
      when title ~* '\m(ceo|chief executive|principal executive officer|vorstandsvorsitzender?|directeur général|consejero delegado|amministratore delegato)\M' then 0
      when title ~* '\m(president|founder|co-?founder|founding partner|owner|managing (partner|principal|member|director)|executive chair(man|woman|person)?|geschäftsführer(in)?)\M' then 1
      else 2
    end)::smallint;
comment on function leadership_rank is 'Rank of a person at a company. The most senior person has the lowest rank. Within a seniority level, the head of the company has the lowest rank';

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
  profile_key text,
  leadership_rank smallint generated always as (leadership_rank(seniority, title)) stored,
  in_formadv boolean not null default false,
  enrichment_status text not null default 'none'
    check (enrichment_status in ('none', 'pending', 'complete', 'partial', 'not_found', 'failed')),
  enriched_at timestamptz,
  last_seen_at timestamptz not null,
  left_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_domain, person_id),
  constraint person_email_check
    check ((email is null) = (email_hash is null) and (email is null) = (email_digest is null)),
  constraint person_email_hash_check check (email_hash = left(email_digest, 16))
);
create index person_by_email_hash on person (email_hash) where email_hash is not null;
create index person_by_name_key on person (company_domain, name_key);
create index person_by_seniority on person (seniority, company_domain, person_id);
create index person_by_profile_key on person (profile_key) where profile_key is not null;
create index person_by_id on person (person_id);
create index person_by_name on person using gin (lower(full_name) gin_trgm_ops);
create index person_by_title on person using gin (lower(title) gin_trgm_ops);
comment on table person is 'People observed at companies. Names and titles are stored as written in the source';
comment on column person.company_domain is 'Company';
comment on column person.person_id is 'Random, stable identifier of the person at this company. Accepted in API paths';
comment on column person.email_hash is 'First 16 hexadecimal digits of the SHA-256 hash of the email address in lower case. Identifies the person in API paths. Null if no address is known';
comment on column person.email_digest is 'Full SHA-256 hash of the address, to distinguish addresses whose hashes share the first 16 digits';
comment on column person.email is 'Email address';
comment on column person.email_status is 'published, derived (from the domain''s known address pattern) or guessed';
comment on column person.email_confidence is 'Probability that the address belongs to this person, 0 to 1';
comment on column person.first_name is 'Given name';
comment on column person.last_name is 'Family name';
comment on column person.full_name is 'Full name';
comment on column person.name_key is 'Name normalized to ignore case, accents, punctuation and word order. Used by later enrichments to match the person';
comment on column person.title is 'Job title as written in the source';
comment on column person.seniority is 'Seniority level: executive, director, manager, ...';
comment on column person.department is 'Department';
comment on column person.phone is 'Telephone number';
comment on column person.social_url is 'Profile URL on a professional network';
comment on column person.profile_key is 'social_url normalized for lookups: without scheme, www., country subdomain, query or trailing slash, in lower case';
comment on column person.leadership_rank is 'Rank by seniority and title. The most senior person has the lowest rank';
comment on column person.in_formadv is 'Whether Form ADV Schedule A or B lists this person at this company';
comment on column person.enrichment_status is 'none, pending, complete, partial, not_found or failed';
comment on column person.enriched_at is 'Time of the latest enrichment that confirmed or changed the record';
comment on column person.last_seen_at is 'Time at which a source last listed the person at this company';
comment on column person.left_at is 'Time at which sources stopped listing the person at this company. Null while a source lists the person';
comment on column person.created_at is 'Creation time';
comment on column person.updated_at is 'Time of the latest field change';

create table person_observation (
  company_domain text collate "C" not null,
  person_id uuid not null,
  source text not null,
  ordinal smallint not null,
  fields jsonb not null,
  url text,
  method text not null,
  confidence real not null check (confidence between 0 and 1),
  observed_at timestamptz not null,
  primary key (company_domain, person_id, source, ordinal)
);
comment on table person_observation is 'Values of a person''s fields by source: the record''s provenance';
comment on column person_observation.company_domain is 'Company';
comment on column person_observation.person_id is 'Person';
comment on column person_observation.source is 'Provider that found the person';
comment on column person_observation.ordinal is 'Position of the observation among the source''s observations';
comment on column person_observation.fields is 'Observed values, keyed by field name';
comment on column person_observation.url is 'URL of the page that lists the person';
comment on column person_observation.method is 'Extraction method';
comment on column person_observation.confidence is 'Probability that the observation is correct, 0 to 1';
comment on column person_observation.observed_at is 'Time at which the person was found in the source';

create table person_email (
  email_hash text primary key,
  history_at timestamptz
);
comment on table person_email is 'Orders the history events of each email address. A transaction that writes a person locks the row of the person''s address, so that events stay in order even if two companies list the person';
comment on column person_email.email_hash is 'Same as person.email_hash';
comment on column person_email.history_at is 'Time of the newest history event for a person with this address';
