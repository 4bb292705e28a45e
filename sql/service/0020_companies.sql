-- What is known of companies, who said it, and how sure they were. Everything of one company is distributed by its domain.

create table company (
  domain text collate "C" primary key,
  name text,
  legal_name text,
  description text,
  industry text,
  employee_count integer,
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
  in_formadv boolean not null default false,
  crd_number integer,
  enrichment_status text not null default 'none',
  status_reason text,
  enriched_at timestamptz,
  leadership_enriched_at timestamptz,
  signals_enriched_at timestamptz,
  last_attempt_at timestamptz,
  failed_attempts integer not null default 0,
  retry_at timestamptz,
  history_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_text text generated always as (lower(coalesce(name, '') || ' ' || coalesce(legal_name, '') || ' ' || domain)) stored,
  constraint domain_is_lower_case check (domain = lower(domain) and domain <> ''),
  constraint enrichment_status_is_known
    check (enrichment_status in ('none', 'pending', 'complete', 'partial', 'not_found', 'failed')),
  constraint failed_attempts_are_not_negative check (failed_attempts >= 0)
);
create index company_by_text on company using gin (search_text gin_trgm_ops);
create index company_by_state on company (lower(headquarters_state), domain);
create index company_by_industry on company (lower(industry), domain);
create index company_by_status on company (enrichment_status, domain);
create index company_by_formadv on company (in_formadv, domain);
comment on table company is 'A company, by its registrable domain: for each field the winning observation. It may be known and nothing more.';
comment on column company.domain is 'Registrable domain, lower case, punycode. The identifier in paths.';
comment on column company.name is 'The name it goes by.';
comment on column company.legal_name is 'The full legal name.';
comment on column company.description is 'What it says of itself, in a sentence or two.';
comment on column company.industry is 'Industry, in the words of the winning source.';
comment on column company.employee_count is 'Employees.';
comment on column company.employee_range is 'A band of employees, such as 11-50.';
comment on column company.headquarters_street is 'Head office: street.';
comment on column company.headquarters_city is 'Head office: city.';
comment on column company.headquarters_state is 'Head office: state or province.';
comment on column company.headquarters_postal_code is 'Head office: postal code.';
comment on column company.headquarters_country is 'Head office: the English name of the country.';
comment on column company.phone is 'Telephone number.';
comment on column company.social_url is 'Profile address on a professional network.';
comment on column company.logo_url is 'Where its logo can be seen.';
comment on column company.founded_year is 'Year of foundation.';
comment on column company.in_formadv is 'Does a firm of the newest Form ADV roster name this domain as its web address?';
comment on column company.crd_number is 'CRD number of that firm. Null where several firms share the domain, or none has it.';
comment on column company.enrichment_status is 'none, pending, complete, partial, not_found or failed: how the last enrichment ended.';
comment on column company.status_reason is 'Why it is not complete, in words.';
comment on column company.enriched_at is 'When its own fields were last found. Null: never.';
comment on column company.leadership_enriched_at is 'When its people were last looked for and a source answered. Null: never.';
comment on column company.signals_enriched_at is 'When its news was last looked for and a source answered. Null: never.';
comment on column company.last_attempt_at is 'When an enrichment last ended, well or badly.';
comment on column company.failed_attempts is 'Failed enrichments in a row.';
comment on column company.retry_at is 'Not before then is a failed enrichment worth another try. Null: any time.';
comment on column company.history_at is 'changed_at of its newest history event, of its people included. Null: nothing has changed yet.';
comment on column company.created_at is 'When it became known.';
comment on column company.updated_at is 'When a field last changed.';
comment on column company.search_text is 'What a search looks into.';

create table provider_result (
  domain text collate "C" not null,
  provider text not null,
  groups text[] not null,
  status text not null,
  reason text,
  checked_at timestamptz not null,
  failures integer not null default 0,
  primary key (domain, provider),
  constraint status_is_known check (status in ('found', 'not_found', 'unavailable', 'refused'))
);
comment on table provider_result is 'The last answer of each provider about each company.';
comment on column provider_result.domain is 'Whom it was asked about.';
comment on column provider_result.provider is 'Who answered.';
comment on column provider_result.groups is 'What it was asked for: company, leadership, signals.';
comment on column provider_result.status is 'found, not_found, unavailable (may pass) or refused (will not).';
comment on column provider_result.reason is 'Why it is not found, or what is missing, in words.';
comment on column provider_result.checked_at is 'When it answered.';
comment on column provider_result.failures is 'Answers in a row that were unavailable, this one included.';

create table observation (
  domain text collate "C" not null,
  source text not null,
  field text not null,
  ordinal smallint not null,
  value jsonb not null,
  raw text,
  url text,
  method text not null,
  confidence real not null,
  observed_at timestamptz not null,
  wins boolean not null,
  merged_confidence real,
  primary key (domain, source, field, ordinal),
  constraint confidence_is_a_probability check (confidence between 0 and 1),
  constraint merged_confidence_belongs_to_the_winner check (wins = (merged_confidence is not null))
);
comment on table observation is 'One value of one field of one company, as one source gives it: the one the record shows, and the others.';
comment on column observation.domain is 'Whose field it is.';
comment on column observation.source is 'The provider that found it.';
comment on column observation.field is 'A field of company.';
comment on column observation.ordinal is 'Numbers the values that one source gives for one field.';
comment on column observation.value is 'The value: a JSON string or number.';
comment on column observation.raw is 'As written at the source.';
comment on column observation.url is 'Where a person can see it.';
comment on column observation.method is 'How it was read: json-ld, microdata, h-card, opengraph, page, roster, ...';
comment on column observation.confidence is 'Probability that this observation is right, 0 to 1.';
comment on column observation.observed_at is 'When the source said so.';
comment on column observation.wins is 'Does the record show it?';
comment on column observation.merged_confidence is 'Probability that the shown value is right, with the agreement of the other sources. Only at the winner.';

create table signal (
  domain text collate "C" not null,
  signal_id text not null,
  type text not null,
  headline text not null,
  date date,
  url text,
  about text not null,
  source text not null,
  method text not null,
  confidence real not null,
  observed_at timestamptz not null,
  first_seen_at timestamptz not null default now(),
  primary key (domain, signal_id),
  constraint confidence_is_a_probability check (confidence between 0 and 1)
);
create index signal_by_date on signal (domain, date desc nulls last);
comment on table signal is 'Something that happened to a company, with the proof that it is about this one.';
comment on column signal.domain is 'Whom it is about.';
comment on column signal.signal_id is 'Hash of its address, or of its headline without one: the same story is one signal.';
comment on column signal.type is 'One of the ten types of the interface.';
comment on column signal.headline is 'As published.';
comment on column signal.date is 'The day it was published. Null: the source does not say.';
comment on column signal.url is 'Where it can be read.';
comment on column signal.about is 'Why the story is about this company, in a sentence.';
comment on column signal.source is 'The provider that found it.';
comment on column signal.method is 'How it was read.';
comment on column signal.confidence is 'Probability that type and company are right, 0 to 1.';
comment on column signal.observed_at is 'When it was last seen.';
comment on column signal.first_seen_at is 'When it was first stored.';
