-- What the migrations in service/ come to, for reading and review. Made by `npm run generate -- docs`; nothing runs it.

create table api_key (
  key_id uuid not null default gen_random_uuid(),
  client_id text not null,
  label text not null default ''::text,
  key_hash bytea not null,
  last_four text not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_key_client_id_fkey FOREIGN KEY (client_id) REFERENCES client(client_id) ON DELETE CASCADE,
  constraint api_key_is_stored_as_sha256 CHECK ((octet_length(key_hash) = 32)),
  constraint api_key_is_unique UNIQUE (key_hash),
  constraint api_key_pkey PRIMARY KEY (key_id)
);

CREATE INDEX api_key_by_client ON public.api_key USING btree (client_id);

create table client (
  client_id text not null,
  name text not null,
  plan text not null default 'standard'::text,
  units_per_period integer not null default 10000,
  period interval not null default '1 mon'::interval,
  overage_allowed boolean not null default false,
  reads_per_minute integer not null default 60000,
  submits_per_minute integer not null default 1200,
  trial_ends_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint client_id_is_readable CHECK (((client_id ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text) AND (client_id <> 'me'::text))),
  constraint client_pkey PRIMARY KEY (client_id),
  constraint period_is_at_least_a_day CHECK ((period >= '1 day'::interval)),
  constraint rates_are_positive CHECK (((reads_per_minute > 0) AND (submits_per_minute > 0))),
  constraint units_are_not_negative CHECK ((units_per_period >= 0))
);

create table company (
  domain text not null,
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
  enrichment_status text not null default 'none'::text,
  status_reason text,
  enriched_at timestamp with time zone,
  leadership_enriched_at timestamp with time zone,
  signals_enriched_at timestamp with time zone,
  last_attempt_at timestamp with time zone,
  failed_attempts integer not null default 0,
  retry_at timestamp with time zone,
  history_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  search_text text generated always as (lower(((((COALESCE(name, ''::text) || ' '::text) || COALESCE(legal_name, ''::text)) || ' '::text) || domain))) stored,
  constraint company_pkey PRIMARY KEY (domain),
  constraint domain_is_lower_case CHECK (((domain = lower(domain)) AND (domain <> ''::text))),
  constraint enrichment_status_is_known CHECK ((enrichment_status = ANY (ARRAY['none'::text, 'pending'::text, 'complete'::text, 'partial'::text, 'not_found'::text, 'failed'::text]))),
  constraint failed_attempts_are_not_negative CHECK ((failed_attempts >= 0))
);

CREATE INDEX company_by_formadv ON public.company USING btree (in_formadv, domain);

CREATE INDEX company_by_industry ON public.company USING btree (lower(industry), domain);

CREATE INDEX company_by_state ON public.company USING btree (lower(headquarters_state), domain);

CREATE INDEX company_by_status ON public.company USING btree (enrichment_status, domain);

CREATE INDEX company_by_text ON public.company USING gin (search_text gin_trgm_ops);

create table firm (
  sec_number text not null,
  crd_number integer not null,
  legal_name text,
  business_name text,
  firm_type text not null,
  region text,
  sec_status text,
  sec_status_date date,
  latest_filing_date date,
  form_version text,
  umbrella_registration boolean,
  notice_states text[],
  cik_number text,
  lei text,
  street_1 text,
  street_2 text,
  city text,
  state text,
  country text,
  postal_code text,
  phone text,
  fax text,
  other_office_count integer,
  mail_street_1 text,
  mail_street_2 text,
  mail_city text,
  mail_state text,
  mail_country text,
  mail_postal_code text,
  website text,
  website_domain text,
  social_url text,
  website_count integer,
  organization_form text,
  fiscal_year_end text,
  organized_state text,
  organized_country text,
  public_reporting_company boolean,
  own_assets_over_1bn boolean,
  employee_count integer,
  advisory_employee_count integer,
  broker_dealer_rep_count integer,
  state_adviser_rep_count integer,
  client_without_assets_count integer,
  non_us_client_percent integer,
  aum_discretionary_usd numeric(20,2),
  aum_non_discretionary_usd numeric(20,2),
  aum_total_usd numeric(20,2),
  aum_non_us_usd numeric(20,2),
  accounts_discretionary integer,
  accounts_non_discretionary integer,
  accounts_total integer,
  charges_percent_of_assets boolean,
  charges_hourly boolean,
  charges_subscription boolean,
  charges_fixed boolean,
  charges_commissions boolean,
  charges_performance boolean,
  charges_other boolean,
  service_financial_planning boolean,
  service_portfolio_individuals boolean,
  service_portfolio_companies boolean,
  service_portfolio_pooled boolean,
  service_portfolio_institutions boolean,
  service_pension_consulting boolean,
  service_adviser_selection boolean,
  service_periodicals boolean,
  service_ratings boolean,
  service_market_timing boolean,
  service_seminars boolean,
  service_other boolean,
  wrap_fee_program boolean,
  private_funds boolean,
  private_fund_count integer,
  private_fund_assets_usd numeric(20,2),
  custody_cash boolean,
  custody_securities boolean,
  disciplinary_history boolean,
  items jsonb not null default '{}'::jsonb,
  as_of date not null,
  first_as_of date not null,
  gone_as_of date,
  gone_at timestamp with time zone,
  constraint crd_number_is_positive CHECK ((crd_number > 0)),
  constraint firm_pkey PRIMARY KEY (crd_number),
  constraint firm_type_is_known CHECK ((firm_type = ANY (ARRAY['registered'::text, 'exempt'::text]))),
  constraint gone_has_both_times CHECK (((gone_as_of IS NULL) = (gone_at IS NULL)))
);

CREATE INDEX firm_by_aum_total_usd ON public.firm USING btree (aum_total_usd NULLS FIRST, crd_number) WHERE (gone_as_of IS NULL);

CREATE INDEX firm_by_business_name ON public.firm USING btree (business_name NULLS FIRST, crd_number) WHERE (gone_as_of IS NULL);

CREATE INDEX firm_by_crd_number ON public.firm USING btree (crd_number) WHERE (gone_as_of IS NULL);

CREATE INDEX firm_by_employee_count ON public.firm USING btree (employee_count NULLS FIRST, crd_number) WHERE (gone_as_of IS NULL);

CREATE INDEX firm_by_latest_filing_date ON public.firm USING btree (latest_filing_date NULLS FIRST, crd_number) WHERE (gone_as_of IS NULL);

CREATE INDEX firm_by_legal_name ON public.firm USING btree (legal_name NULLS FIRST, crd_number) WHERE (gone_as_of IS NULL);

CREATE INDEX firm_by_region ON public.firm USING btree (region, sec_number) WHERE (gone_as_of IS NULL);

CREATE INDEX firm_by_sec_number ON public.firm USING btree (sec_number, crd_number) WHERE (gone_as_of IS NULL);

CREATE INDEX firm_by_state ON public.firm USING btree (state, sec_number) WHERE (gone_as_of IS NULL);

CREATE INDEX firm_by_website_domain ON public.firm USING btree (website_domain) WHERE (gone_as_of IS NULL);

create table firm_change (
  crd_number integer not null,
  as_of date not null,
  field text not null,
  old_value jsonb,
  new_value jsonb,
  import_id uuid not null,
  constraint firm_change_pkey PRIMARY KEY (crd_number, field, as_of, import_id)
);

CREATE INDEX firm_change_by_as_of ON public.firm_change USING btree (as_of, crd_number);

create table firm_dataset (
  id boolean not null default true,
  version bigint not null,
  firms integer not null,
  as_of date,
  constraint firm_dataset_has_one_row CHECK (id),
  constraint firm_dataset_pkey PRIMARY KEY (id)
);

create table firm_import (
  id uuid not null default gen_random_uuid(),
  file text not null,
  sha256 text not null,
  layout text not null,
  encoding text not null,
  firm_types text[] not null,
  as_of date not null,
  rows integer not null,
  new integer not null,
  returned integer not null,
  changed integer not null,
  unchanged integer not null,
  gone integer not null,
  gone_unconfirmed integer not null,
  quarantined integer not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone not null default now(),
  constraint firm_import_pkey PRIMARY KEY (id)
);

CREATE INDEX firm_import_by_sha256 ON public.firm_import USING btree (sha256);

create table firm_owner (
  crd_number integer not null,
  position integer not null,
  schedule text not null,
  full_legal_name text not null,
  owner_type text not null,
  entity_in_which text,
  title text,
  status_acquired text,
  ownership_code text,
  control_person boolean,
  public_reporting boolean,
  owner_id text,
  constraint firm_owner_pkey PRIMARY KEY (crd_number, "position"),
  constraint owner_is_individual_or_entity CHECK ((owner_type = ANY (ARRAY['I'::text, 'DE'::text, 'FE'::text]))),
  constraint schedule_is_a_or_b CHECK ((schedule = ANY (ARRAY['A'::text, 'B'::text])))
);

create table firm_quarantine (
  import_id uuid not null,
  line integer not null,
  file text not null,
  reason text not null,
  row jsonb not null,
  constraint firm_quarantine_pkey PRIMARY KEY (import_id, line)
);

create table firm_rank (
  field text not null,
  firms_below integer not null,
  sec_number text not null,
  crd_number integer not null,
  constraint firm_rank_pkey PRIMARY KEY (field, firms_below)
);

CREATE INDEX firm_rank_by_crd_number ON public.firm_rank USING btree (field, crd_number);

CREATE INDEX firm_rank_by_sec_number ON public.firm_rank USING btree (field, sec_number);

create table firm_schedule_filing (
  crd_number integer not null,
  filing_id bigint not null,
  submitted_at timestamp without time zone not null,
  file text not null,
  constraint firm_schedule_filing_pkey PRIMARY KEY (crd_number)
);

create table history_event (
  domain text not null,
  id bigint not null generated always as identity,
  entity text not null,
  person_id uuid,
  email_hash text,
  field text not null,
  old_value jsonb,
  new_value jsonb,
  changed_at timestamp with time zone not null,
  source text not null,
  task_id text,
  tx xid8 not null default pg_current_xact_id(),
  constraint entity_is_known CHECK ((entity = ANY (ARRAY['company'::text, 'person'::text]))),
  constraint history_event_pkey PRIMARY KEY (domain, id),
  constraint person_is_named CHECK (((entity = 'person'::text) = (person_id IS NOT NULL))),
  constraint something_changed CHECK ((old_value IS DISTINCT FROM new_value))
);

CREATE INDEX history_event_of_address ON public.history_event USING btree (email_hash, changed_at) WHERE (email_hash IS NOT NULL);

CREATE UNIQUE INDEX history_event_of_company ON public.history_event USING btree (domain, changed_at);

CREATE INDEX history_event_of_person ON public.history_event USING btree (domain, person_id, changed_at) WHERE (person_id IS NOT NULL);

create table host_rate_limit (
  host text not null,
  next_at timestamp with time zone not null,
  constraint host_rate_limit_pkey PRIMARY KEY (host)
);

create table idempotent_reply (
  client_id text not null,
  key text not null,
  request_hash bytea not null,
  reply json,
  created_at timestamp with time zone not null default now(),
  constraint idempotent_reply_pkey PRIMARY KEY (client_id, key),
  constraint key_is_short CHECK (((length(key) >= 1) AND (length(key) <= 255)))
);

CREATE INDEX idempotent_reply_by_age ON public.idempotent_reply USING btree (created_at);

create table ledger_entry (
  client_id text not null,
  entry_id bigint not null generated always as identity,
  kind text not null,
  units bigint not null,
  balance_after bigint not null,
  task_id uuid,
  item integer not null default 0,
  period_started_at timestamp with time zone not null,
  reason text,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint charges_and_refunds_name_their_task CHECK (((kind = ANY (ARRAY['charge'::text, 'refund'::text])) = (task_id IS NOT NULL))),
  constraint charges_take_and_refunds_give CHECK (
CASE kind
    WHEN 'charge'::text THEN (units < 0)
    WHEN 'refund'::text THEN (units > 0)
    WHEN 'grant'::text THEN (units <> 0)
    ELSE true
END),
  constraint kind_is_known CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text, 'grant'::text, 'period_start'::text]))),
  constraint ledger_entry_pkey PRIMARY KEY (client_id, entry_id),
  constraint one_charge_a_task_and_one_refund_an_item UNIQUE (client_id, task_id, kind, item)
);

CREATE UNIQUE INDEX one_start_a_period ON public.ledger_entry USING btree (client_id, period_started_at) WHERE (kind = 'period_start'::text);

create table observation (
  domain text not null,
  source text not null,
  field text not null,
  ordinal smallint not null,
  value jsonb not null,
  raw text,
  url text,
  method text not null,
  confidence real not null,
  observed_at timestamp with time zone not null,
  wins boolean not null,
  merged_confidence real,
  constraint confidence_is_a_probability CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
  constraint merged_confidence_belongs_to_the_winner CHECK ((wins = (merged_confidence IS NOT NULL))),
  constraint observation_pkey PRIMARY KEY (domain, source, field, ordinal)
);

create table person (
  company_domain text not null,
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
  enrichment_status text not null default 'none'::text,
  enriched_at timestamp with time zone,
  last_seen_at timestamp with time zone not null,
  left_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint address_and_hashes_go_together CHECK ((((email IS NULL) = (email_hash IS NULL)) AND ((email IS NULL) = (email_digest IS NULL)))),
  constraint email_hash_begins_the_digest CHECK ((email_hash = "left"(email_digest, 16))),
  constraint enrichment_status_is_known CHECK ((enrichment_status = ANY (ARRAY['none'::text, 'pending'::text, 'complete'::text, 'partial'::text, 'not_found'::text, 'failed'::text]))),
  constraint person_pkey PRIMARY KEY (company_domain, person_id)
);

CREATE INDEX person_by_email_hash ON public.person USING btree (email_hash) WHERE (email_hash IS NOT NULL);

CREATE INDEX person_by_name ON public.person USING gin (lower(full_name) gin_trgm_ops);

CREATE INDEX person_by_name_key ON public.person USING btree (company_domain, name_key);

CREATE INDEX person_by_seniority ON public.person USING btree (seniority, company_domain, person_id);

CREATE INDEX person_by_social_url ON public.person USING btree (social_url) WHERE (social_url IS NOT NULL);

CREATE INDEX person_by_title ON public.person USING gin (lower(title) gin_trgm_ops);

create table person_email (
  email_hash text not null,
  history_at timestamp with time zone,
  constraint person_email_pkey PRIMARY KEY (email_hash)
);

create table person_observation (
  company_domain text not null,
  person_id uuid not null,
  source text not null,
  ordinal smallint not null,
  fields jsonb not null,
  url text,
  method text not null,
  confidence real not null,
  observed_at timestamp with time zone not null,
  constraint confidence_is_a_probability CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
  constraint person_observation_pkey PRIMARY KEY (company_domain, person_id, source, ordinal)
);

create table privacy_key (
  id boolean not null default true,
  key bytea not null default decode(replace(((gen_random_uuid())::text || (gen_random_uuid())::text), '-'::text, ''::text), 'hex'::text),
  constraint privacy_key_pkey PRIMARY KEY (id),
  constraint there_is_one CHECK (id)
);

create table provider_result (
  domain text not null,
  provider text not null,
  groups text[] not null,
  status text not null,
  reason text,
  checked_at timestamp with time zone not null,
  failures integer not null default 0,
  constraint provider_result_pkey PRIMARY KEY (domain, provider),
  constraint status_is_known CHECK ((status = ANY (ARRAY['found'::text, 'not_found'::text, 'unavailable'::text, 'refused'::text])))
);

create table rate_window (
  client_id text not null,
  rate_class text not null,
  ends_at timestamp with time zone not null,
  used integer not null,
  granted integer not null,
  constraint rate_class_is_known CHECK ((rate_class = ANY (ARRAY['read'::text, 'submit'::text]))),
  constraint rate_window_of_client PRIMARY KEY (client_id, rate_class)
);

create table record_count (
  entity text not null,
  id bigint not null generated always as identity,
  total bigint not null,
  enriched bigint not null,
  from_formadv bigint not null,
  constraint entity_is_known CHECK ((entity = ANY (ARRAY['company'::text, 'person'::text]))),
  constraint record_count_pkey PRIMARY KEY (entity, id)
);

create table robots_file (
  origin text not null,
  rules text,
  expires_at timestamp with time zone not null,
  constraint robots_file_pkey PRIMARY KEY (origin)
);

create table signal (
  domain text not null,
  signal_id text not null,
  type text not null,
  headline text not null,
  date date,
  url text,
  about text not null,
  source text not null,
  method text not null,
  confidence real not null,
  observed_at timestamp with time zone not null,
  first_seen_at timestamp with time zone not null default now(),
  constraint confidence_is_a_probability CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
  constraint signal_pkey PRIMARY KEY (domain, signal_id)
);

CREATE INDEX signal_by_date ON public.signal USING btree (domain, date DESC NULLS LAST);

create table suppressed_person (
  mac text not null,
  suppressed_at timestamp with time zone not null default now(),
  constraint suppressed_person_pkey PRIMARY KEY (mac)
);

create table tal_member (
  client_id text not null,
  domain text not null,
  source text,
  added_at timestamp with time zone not null default now(),
  constraint tal_member_pkey PRIMARY KEY (client_id, domain)
);

create table task (
  client_id text not null,
  task_id uuid not null,
  task_type text not null,
  state text not null default 'queued'::text,
  input jsonb not null,
  callback_url text,
  units_charged integer not null,
  units_refunded integer not null default 0,
  items_total integer not null,
  items_done integer not null default 0,
  items_failed integer not null default 0,
  created_at timestamp with time zone not null default clock_timestamp(),
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  units_to_refund integer not null default 0,
  constraint completed_only_at_the_end CHECK (((state = ANY (ARRAY['completed'::text, 'failed'::text])) = (completed_at IS NOT NULL))),
  constraint ends_when_every_item_is_done CHECK (((state = ANY (ARRAY['completed'::text, 'failed'::text])) = (items_done = items_total))),
  constraint failed_items_are_done CHECK (((items_failed >= 0) AND (items_failed <= items_done))),
  constraint refunds_within_the_charge CHECK (((units_refunded >= 0) AND (units_refunded <= units_charged))),
  constraint state_is_known CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text]))),
  constraint task_pkey PRIMARY KEY (client_id, task_id),
  constraint type_is_known CHECK ((task_type = ANY (ARRAY['enrich_company'::text, 'enrich_company_with_leadership'::text, 'enrich_company_with_signals'::text, 'enrich_company_with_leadership_and_signals'::text, 'enrich_person'::text, 'enrich_batch'::text, 'leadership_search'::text, 'signal_discovery'::text, 'tal_enrich'::text])))
);

CREATE INDEX task_newest ON public.task USING btree (client_id, created_at DESC, task_id);

CREATE INDEX task_newest_of_state ON public.task USING btree (client_id, state, created_at DESC, task_id);

create table task_item (
  client_id text not null,
  task_id uuid not null,
  item integer not null,
  entity text not null,
  groups text[] not null,
  domain text,
  input jsonb not null default '{}'::jsonb,
  cost integer not null,
  state text not null default 'queued'::text,
  attempt integer not null default 0,
  outcome text,
  reason text,
  output jsonb,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint a_company_has_a_domain CHECK (((entity = 'person'::text) OR (domain IS NOT NULL))),
  constraint an_ended_item_has_an_outcome CHECK (((state = ANY (ARRAY['completed'::text, 'failed'::text])) = ((outcome IS NOT NULL) AND (ended_at IS NOT NULL)))),
  constraint entity_is_known CHECK ((entity = ANY (ARRAY['company'::text, 'person'::text]))),
  constraint failed_is_the_outcome_of_failed CHECK (((state = 'failed'::text) = COALESCE((outcome = 'failed'::text), false))),
  constraint outcome_is_known CHECK ((outcome = ANY (ARRAY['complete'::text, 'partial'::text, 'fresh'::text, 'not_found'::text, 'failed'::text]))),
  constraint state_is_known CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text]))),
  constraint task_item_client_id_task_id_fkey FOREIGN KEY (client_id, task_id) REFERENCES task(client_id, task_id) ON DELETE CASCADE,
  constraint task_item_pkey PRIMARY KEY (client_id, task_id, item)
);

CREATE INDEX task_item_unfinished ON public.task_item USING btree (client_id, domain) WHERE (ended_at IS NULL);

create table unit_account (
  client_id text not null,
  balance bigint not null,
  granted bigint not null default 0,
  used_this_period bigint not null default 0,
  overage_allowed boolean not null default false,
  period_started_at timestamp with time zone not null,
  period_ends_at timestamp with time zone not null,
  constraint balance_is_below_zero_only_with_overage CHECK (((balance >= 0) OR overage_allowed)),
  constraint granted_is_not_negative CHECK ((granted >= 0)),
  constraint period_ends_after_it_starts CHECK ((period_ends_at > period_started_at)),
  constraint unit_account_pkey PRIMARY KEY (client_id)
);

create table webhook_attempt (
  client_id text not null,
  delivery_id uuid not null,
  attempt_id uuid not null default gen_random_uuid(),
  attempted_at timestamp with time zone not null default now(),
  status integer,
  error text,
  milliseconds integer not null,
  constraint webhook_attempt_client_id_delivery_id_fkey FOREIGN KEY (client_id, delivery_id) REFERENCES webhook_delivery(client_id, delivery_id) ON DELETE CASCADE,
  constraint webhook_attempt_pkey PRIMARY KEY (client_id, delivery_id, attempt_id)
);

create table webhook_delivery (
  client_id text not null,
  delivery_id uuid not null,
  task_id uuid not null,
  url text not null,
  payload text not null,
  state text not null default 'pending'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone default now(),
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint ends_once CHECK (((state = 'pending'::text) = (ended_at IS NULL))),
  constraint only_a_pending_one_is_tried_again CHECK (((state = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  constraint state_is_known CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'disabled'::text]))),
  constraint webhook_delivery_pkey PRIMARY KEY (client_id, delivery_id)
);

CREATE INDEX webhook_delivery_newest ON public.webhook_delivery USING btree (client_id, created_at DESC, delivery_id);

CREATE INDEX webhook_delivery_of_task ON public.webhook_delivery USING btree (client_id, task_id);

create table webhook_disabled_url (
  client_id text not null,
  url text not null,
  disabled_at timestamp with time zone not null default now(),
  constraint webhook_disabled_url_pkey PRIMARY KEY (client_id, url)
);

create table webhook_secret (
  client_id text not null,
  secret_id uuid not null default gen_random_uuid(),
  secret bytea not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  is_sealed boolean not null default false,
  constraint secret_is_long_enough CHECK (((octet_length(secret) >= 24) AND (octet_length(secret) <= 64))),
  constraint webhook_secret_pkey PRIMARY KEY (client_id, secret_id)
);

CREATE UNIQUE INDEX one_current_secret ON public.webhook_secret USING btree (client_id) WHERE (expires_at IS NULL);

CREATE OR REPLACE FUNCTION public.charge_units(charged_client text, charged_task uuid, charged_units bigint)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  remaining bigint;
begin
  -- Charges queue here, first come first served, and each then sees the account as the one before left it. Queueing for the row itself,
  -- each would walk past the versions that all the others made of it: half as many a second with 64 at once. The row's own lock, and
  -- the condition under it, are what makes a charge right.
  perform pg_advisory_xact_lock(hashtext('unit_account'), hashtext(charged_client));
  with account as (
    update unit_account a
    set balance = a.balance - charged_units, used_this_period = a.used_this_period + charged_units,
      overage_allowed = c.overage_allowed
    from client c
    where c.client_id = a.client_id and a.client_id = charged_client and a.period_ends_at > clock_timestamp()
      and (a.balance >= charged_units or c.overage_allowed)
    returning a.balance, a.period_started_at
  )
  insert into ledger_entry (client_id, kind, units, balance_after, task_id, period_started_at)
  select charged_client, 'charge', -charged_units, balance, charged_task, period_started_at
  from account
  returning balance_after into remaining;
  return remaining;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'ledger_entry is append-only: write a new entry instead' using errcode = 'restrict_violation';
end
$function$;

CREATE TRIGGER ledger_is_append_only BEFORE DELETE OR UPDATE ON public.ledger_entry FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();

CREATE TRIGGER ledger_is_never_emptied BEFORE TRUNCATE ON public.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
