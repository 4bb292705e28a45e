-- Company records with their provenance. A company's rows share one distribution key, its domain.

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
  former_names text[],
  in_formadv boolean not null default false,
  crd_number integer,
  is_public boolean not null default false,
  enrichment_status text not null default 'none'
    check (enrichment_status in ('none', 'complete', 'partial', 'not_found', 'failed')),
  status_reason text,
  enriched_at timestamptz,
  leadership_enriched_at timestamptz,
  signals_enriched_at timestamptz,
  last_attempt_at timestamptz,
  failed_attempts integer not null default 0 check (failed_attempts >= 0),
  retry_at timestamptz,
  history_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_text text generated always as (lower(coalesce(name, '') || ' ' || coalesce(legal_name, '') || ' ' || domain)) stored,
  constraint company_domain_check check (domain = lower(domain) and domain <> '')
);
create index company_by_text on company using gin (search_text gin_trgm_ops);
create index company_by_state on company (lower(headquarters_state), domain);
create index company_by_industry on company (lower(industry), domain);
create index company_by_status on company (enrichment_status, domain);
create index company_by_formadv on company (in_formadv, domain);
comment on table company is 'Companies, one row per registrable domain. Fields contain the values of the winning observations. A new company has only a domain';
comment on column company.domain is 'Registrable domain in lower case, as Punycode. Identifies the company in API paths';
comment on column company.name is 'Display name';
comment on column company.legal_name is 'Full legal name';
comment on column company.description is 'The company''s description of itself, in one or two sentences';
comment on column company.industry is 'Industry, as named by the winning source';
comment on column company.employee_count is 'Number of employees';
comment on column company.employee_range is 'Employee count range, such as 11-50';
comment on column company.headquarters_street is 'Headquarters: street';
comment on column company.headquarters_city is 'Headquarters: city';
comment on column company.headquarters_state is 'Headquarters: state or province';
comment on column company.headquarters_postal_code is 'Headquarters: postal code';
comment on column company.headquarters_country is 'Headquarters: English country name';
comment on column company.phone is 'Telephone number';
comment on column company.social_url is 'Profile URL on a professional network';
comment on column company.logo_url is 'Logo URL';
comment on column company.founded_year is 'Year in which the company was founded';
comment on column company.in_formadv is 'Whether a firm on the latest Form ADV roster has a website with this domain';
comment on column company.crd_number is 'CRD number of the Form ADV firm whose website has this domain. Null if no firm, or more than one firm, has this domain';
comment on column company.is_public is 'Whether all clients may see the company. True once it has been enriched or linked to a Form ADV firm. Otherwise, only the clients in company_viewer may see it';
comment on column company.former_names is 'Earlier display and legal names, oldest first. Null if there are none';
comment on column company.enrichment_status is 'Result of the latest enrichment: none, complete, partial, not_found or failed. The API shows pending to clients with an unfinished task';
comment on column company.status_reason is 'Which data is missing and why, if the status is not complete';
comment on column company.enriched_at is 'Time of the latest enrichment that found company fields. Null if there was none';
comment on column company.leadership_enriched_at is 'Time of the latest people search to which a source responded. Null if there was none';
comment on column company.signals_enriched_at is 'Time of the latest news search to which a source responded. Null if there was none';
comment on column company.last_attempt_at is 'Time at which the latest enrichment ended, whether or not it succeeded';
comment on column company.failed_attempts is 'Number of consecutive failed enrichments';
comment on column company.retry_at is 'Earliest time to retry a failed enrichment. Null if the enrichment can be retried at any time';
comment on column company.history_at is 'Time of the newest history event for the company or its people. Null if there is none';
comment on column company.created_at is 'Creation time';
comment on column company.updated_at is 'Time of the latest field change';
comment on column company.search_text is 'Searchable text: the names and the domain, in lower case';

create table company_viewer (
  client_id text not null,
  domain text collate "C" not null,
  primary key (client_id, domain)
);
comment on table company_viewer is 'Clients that may see a company before it is public, because they requested its enrichment';
comment on column company_viewer.client_id is 'Client';
comment on column company_viewer.domain is 'Company';

create table provider_result (
  domain text collate "C" not null,
  provider text not null,
  groups text[] not null,
  status text not null check (status in ('found', 'not_found', 'unavailable', 'refused')),
  reason text,
  checked_at timestamptz not null,
  failures integer not null default 0,
  primary key (domain, provider)
);
comment on table provider_result is 'Latest result from each provider for each company';
comment on column provider_result.domain is 'Company';
comment on column provider_result.provider is 'Provider';
comment on column provider_result.groups is 'Requested field groups: company, leadership, signals';
comment on column provider_result.status is 'found, not_found, unavailable (temporary) or refused (permanent)';
comment on column provider_result.reason is 'Explanation of a status other than `found`, or of missing data';
comment on column provider_result.checked_at is 'Time of the result';
comment on column provider_result.failures is 'Number of consecutive `unavailable` results, including this result';

create table observation (
  domain text collate "C" not null,
  source text not null,
  field text not null,
  ordinal smallint not null,
  value jsonb not null,
  raw text,
  url text,
  method text not null,
  confidence real not null check (confidence between 0 and 1),
  observed_at timestamptz not null,
  wins boolean not null,
  merged_confidence real,
  primary key (domain, source, field, ordinal),
  constraint observation_winner_check check (wins = (merged_confidence is not null))
);
comment on table observation is 'Values of company fields by source: the winning value and the alternatives';
comment on column observation.domain is 'Company';
comment on column observation.source is 'Provider that found the value';
comment on column observation.field is 'Field of company';
comment on column observation.ordinal is 'Position of the value among the source''s values for the field';
comment on column observation.value is 'JSON string or number';
comment on column observation.raw is 'Value as written in the source';
comment on column observation.url is 'URL of the page that states the value';
comment on column observation.method is 'Extraction method: json-ld, microdata, h-card, opengraph, page, roster, ...';
comment on column observation.confidence is 'Probability that this observation is correct, 0 to 1';
comment on column observation.observed_at is 'Time at which the value was observed';
comment on column observation.wins is 'Whether this value is the winning value for the field';
comment on column observation.merged_confidence is 'Probability that the winning value is correct, given the values of all sources. Null for alternatives';

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
  confidence real not null check (confidence between 0 and 1),
  observed_at timestamptz not null,
  first_seen_at timestamptz not null default now(),
  primary key (domain, signal_id)
);
create index signal_by_date on signal (domain, date desc nulls last);
comment on table signal is 'News stories about companies, with the evidence that each story is about the company';
comment on column signal.domain is 'Company';
comment on column signal.signal_id is 'Hash of the URL, or of the headline if there is no URL';
comment on column signal.type is 'One of the API''s ten signal types';
comment on column signal.headline is 'Headline as published';
comment on column signal.date is 'Publication date. Null if not stated by the source';
comment on column signal.url is 'URL of the story';
comment on column signal.about is 'Evidence that the story is about this company, in one sentence';
comment on column signal.source is 'Provider that found the story';
comment on column signal.method is 'Extraction method';
comment on column signal.confidence is 'Probability that the type and the company are correct, 0 to 1';
comment on column signal.observed_at is 'Time at which the story was last found in the source';
comment on column signal.first_seen_at is 'Time at which the story was first stored';
