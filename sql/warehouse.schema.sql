-- What the migrations in warehouse/ come to, for reading and review. Made by `npm run generate -- docs`; nothing runs it.

create table sync.backfill (
  id bigint not null generated always as identity,
  dataset text not null,
  from_at timestamp with time zone,
  state text not null default 'planned'::text,
  estimate_basis text not null,
  estimated_requests integer not null,
  estimated_units integer not null default 0,
  estimated_seconds double precision not null,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint backfill_dataset_is_known CHECK ((dataset = ANY (ARRAY['history'::text, 'members'::text, 'firms'::text]))),
  constraint backfill_pk PRIMARY KEY (id),
  constraint backfill_state_is_known CHECK ((state = ANY (ARRAY['planned'::text, 'running'::text, 'paused'::text, 'completed'::text, 'failed'::text])))
);

create table sync.backfill_part (
  backfill_id bigint not null,
  number integer not null,
  members text[],
  floor text,
  below text,
  state text not null default 'pending'::text,
  estimated_requests integer not null,
  requests integer,
  seconds double precision,
  inserted integer,
  updated integer,
  unchanged integer,
  error_message text,
  run_id bigint,
  ended_at timestamp with time zone,
  lost_requests integer not null default 0,
  lost_seconds double precision not null default 0,
  constraint backfill_part_pk PRIMARY KEY (backfill_id, number),
  constraint backfill_part_state_is_known CHECK ((state = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text])))
);

create table sync.member_state (
  domain text not null,
  fingerprint text,
  fetched_at timestamp with time zone not null default now(),
  run_id bigint not null,
  constraint member_state_pk PRIMARY KEY (domain)
);

create table sync.range_state (
  walk_id bigint not null,
  number integer not null,
  floor text,
  below text,
  revision integer not null default 0,
  closed boolean not null default false,
  pages integer not null default 0,
  inserted integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  quarantined integer not null default 0,
  constraint range_state_pk PRIMARY KEY (walk_id, number)
);

create table sync.rate_budget (
  name text not null,
  next_at timestamp with time zone not null,
  constraint rate_budget_pk PRIMARY KEY (name)
);

create table sync.run (
  id bigint not null generated always as identity,
  pipeline text not null,
  parent_id bigint,
  continues_id bigint,
  scheduled_for timestamp with time zone,
  requested_by text not null,
  state text not null default 'running'::text,
  outcome text,
  reasons text[] not null default '{}'::text[],
  error_code text,
  error_message text,
  holder jsonb not null,
  started_at timestamp with time zone not null default now(),
  heartbeat_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  done bigint not null default 0,
  total bigint,
  inserted bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  gone bigint not null default 0,
  quarantined bigint not null default 0,
  requests bigint not null default 0,
  units bigint not null default 0,
  constraint run_ends_once CHECK (((state = 'running'::text) = (ended_at IS NULL))),
  constraint run_outcome_is_known CHECK ((outcome = ANY (ARRAY['ok'::text, 'degraded'::text, 'failed'::text]))),
  constraint run_pk PRIMARY KEY (id),
  constraint run_says_how_it_ended CHECK ((((state = 'completed'::text) AND (outcome IS NOT NULL) AND (outcome = ANY (ARRAY['ok'::text, 'degraded'::text]))) OR ((state = 'failed'::text) AND (outcome IS NOT NULL) AND (outcome = 'failed'::text)) OR ((state = ANY (ARRAY['running'::text, 'interrupted'::text, 'abandoned'::text])) AND (outcome IS NULL)))),
  constraint run_state_is_known CHECK ((state = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text, 'interrupted'::text, 'abandoned'::text])))
);

CREATE INDEX run_by_parent ON sync.run USING btree (parent_id) WHERE (parent_id IS NOT NULL);

CREATE INDEX run_by_pipeline ON sync.run USING btree (pipeline, id);

CREATE UNIQUE INDEX run_only_one_a_schedule ON sync.run USING btree (pipeline, scheduled_for) WHERE ((scheduled_for IS NOT NULL) AND (state = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text])));

CREATE UNIQUE INDEX run_only_one_running ON sync.run USING btree (pipeline) WHERE (state = 'running'::text);

create table sync.verification (
  id bigint not null generated always as identity,
  dataset text not null,
  differences jsonb not null,
  requests integer not null,
  verified_at timestamp with time zone not null default now(),
  repaired_at timestamp with time zone,
  constraint verification_dataset_is_known CHECK ((dataset = ANY (ARRAY['firms'::text, 'members'::text, 'history'::text]))),
  constraint verification_pk PRIMARY KEY (id)
);

create table sync.walk (
  id bigint not null generated always as identity,
  stream text not null,
  run_id bigint not null,
  key_order text not null default 'bytes'::text,
  ceiling text,
  total_at_start bigint,
  field_set text,
  data_as_of date,
  incomplete_reasons text[] not null default '{}'::text[],
  keyless bigint not null default 0,
  ranges integer not null default 1,
  started_at timestamp with time zone not null default now(),
  closed_at timestamp with time zone,
  constraint walk_key_order_is_known CHECK ((key_order = ANY (ARRAY['bytes'::text, 'foreign'::text]))),
  constraint walk_pk PRIMARY KEY (id)
);

CREATE UNIQUE INDEX walk_only_one_open ON sync.walk USING btree (stream) WHERE (closed_at IS NULL);

create table sync.walk_page (
  walk_id bigint not null,
  keys text[] not null,
  firm_ids text[] not null,
  unidentified_keys text[] not null
);

CREATE INDEX walk_page_by_walk ON sync.walk_page USING btree (walk_id);

create table sync.watermark (
  pipeline text not null,
  subject text not null default ''::text,
  value text not null,
  run_id bigint not null,
  moved_at timestamp with time zone not null default now(),
  constraint watermark_pk PRIMARY KEY (pipeline, subject)
);

create table warehouse.company (
  domain text not null,
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
  enriched_at timestamp with time zone,
  leadership_enriched_at timestamp with time zone,
  signals_enriched_at timestamp with time zone,
  retry_at timestamp with time zone,
  history_at timestamp with time zone,
  first_seen_at timestamp with time zone not null default now(),
  last_changed_at timestamp with time zone not null default now(),
  gone_at timestamp with time zone,
  run_id bigint not null,
  row_hash text not null,
  constraint company_pk PRIMARY KEY (domain)
);

create table warehouse.enrichment_group (
  field_group text not null,
  units integer not null,
  constraint enrichment_group_is_known CHECK ((field_group = ANY (ARRAY['company'::text, 'leadership'::text, 'signals'::text]))),
  constraint enrichment_group_pk PRIMARY KEY (field_group)
);

create table warehouse.firm (
  firm_id text not null,
  sec_number text not null,
  crd_number bigint,
  legal_name text,
  business_name text,
  firm_type text,
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
  other_office_count bigint,
  mail_street_1 text,
  mail_street_2 text,
  mail_city text,
  mail_state text,
  mail_country text,
  mail_postal_code text,
  website text,
  website_domain text,
  social_url text,
  website_count bigint,
  organization_form text,
  fiscal_year_end text,
  organized_state text,
  organized_country text,
  public_reporting_company boolean,
  own_assets_over_1bn boolean,
  employee_count bigint,
  advisory_employee_count bigint,
  broker_dealer_rep_count bigint,
  state_adviser_rep_count bigint,
  client_without_assets_count bigint,
  non_us_client_percent bigint,
  aum_discretionary_usd numeric,
  aum_non_discretionary_usd numeric,
  aum_total_usd numeric,
  aum_non_us_usd numeric,
  accounts_discretionary bigint,
  accounts_non_discretionary bigint,
  accounts_total bigint,
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
  private_fund_count bigint,
  private_fund_assets_usd numeric,
  custody_cash boolean,
  custody_securities boolean,
  disciplinary_history boolean,
  as_of date,
  valid_from timestamp with time zone not null,
  valid_to timestamp with time zone,
  recorded_at timestamp with time zone not null default now(),
  run_id bigint not null,
  first_seen_at timestamp with time zone not null default now(),
  last_changed_at timestamp with time zone not null default now(),
  gone_at timestamp with time zone,
  row_hash uuid not null,
  constraint firm_gone_says_until_when CHECK (((gone_at IS NULL) = (valid_to IS NULL))),
  constraint firm_holds_for_a_time CHECK ((valid_from < valid_to)),
  constraint firm_pk PRIMARY KEY (firm_id)
);

CREATE INDEX firm_by_sec_number ON warehouse.firm USING btree (sec_number);

CREATE INDEX firm_by_website_domain ON warehouse.firm USING btree (website_domain) WHERE (website_domain IS NOT NULL);

create table warehouse.firm_previous (
  firm_id text not null,
  sec_number text not null,
  crd_number bigint,
  legal_name text,
  business_name text,
  firm_type text,
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
  other_office_count bigint,
  mail_street_1 text,
  mail_street_2 text,
  mail_city text,
  mail_state text,
  mail_country text,
  mail_postal_code text,
  website text,
  website_domain text,
  social_url text,
  website_count bigint,
  organization_form text,
  fiscal_year_end text,
  organized_state text,
  organized_country text,
  public_reporting_company boolean,
  own_assets_over_1bn boolean,
  employee_count bigint,
  advisory_employee_count bigint,
  broker_dealer_rep_count bigint,
  state_adviser_rep_count bigint,
  client_without_assets_count bigint,
  non_us_client_percent bigint,
  aum_discretionary_usd numeric,
  aum_non_discretionary_usd numeric,
  aum_total_usd numeric,
  aum_non_us_usd numeric,
  accounts_discretionary bigint,
  accounts_non_discretionary bigint,
  accounts_total bigint,
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
  private_fund_count bigint,
  private_fund_assets_usd numeric,
  custody_cash boolean,
  custody_securities boolean,
  disciplinary_history boolean,
  as_of date,
  valid_from timestamp with time zone not null,
  valid_to timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  superseded_at timestamp with time zone not null default now(),
  run_id bigint not null,
  constraint firm_past_holds_for_a_time CHECK ((valid_from < valid_to)),
  constraint firm_past_pk PRIMARY KEY (firm_id, valid_from)
);

create table warehouse.freshness_by_night (
  night date not null,
  state text not null,
  members integer not null,
  run_id bigint not null,
  constraint freshness_by_night_pk PRIMARY KEY (night, state)
);

create table warehouse.freshness_target (
  source text not null,
  max_age_days double precision not null,
  due_soon_days double precision not null,
  constraint freshness_target_age_is_positive CHECK ((max_age_days > (0)::double precision)),
  constraint freshness_target_pk PRIMARY KEY (source)
);

create table warehouse.history_event (
  domain text not null,
  event_key text not null,
  entity text not null,
  key text not null,
  field text not null,
  old_value jsonb,
  new_value jsonb,
  changed_at timestamp with time zone not null,
  source text,
  task_id text,
  recorded_at timestamp with time zone not null default now(),
  run_id bigint not null,
  constraint history_event_pk PRIMARY KEY (domain, event_key)
);

CREATE INDEX history_event_by_record ON warehouse.history_event USING btree (domain, entity, key, changed_at);

CREATE INDEX history_event_by_time ON warehouse.history_event USING btree (changed_at);

create table warehouse.person (
  company_domain text not null,
  person_key text not null,
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
  enriched_at timestamp with time zone,
  is_leader boolean not null default false,
  first_seen_at timestamp with time zone not null default now(),
  last_changed_at timestamp with time zone not null default now(),
  run_id bigint not null,
  row_hash text not null,
  constraint person_pk PRIMARY KEY (company_domain, person_key)
);

CREATE INDEX person_by_email_hash ON warehouse.person USING btree (email_hash);

create table warehouse.quarantine (
  entity text not null,
  fingerprint uuid not null,
  key text,
  reason text not null,
  record jsonb not null,
  first_seen_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  resolved_at timestamp with time zone,
  run_id bigint not null,
  constraint quarantine_pk PRIMARY KEY (entity, fingerprint)
);

create table warehouse.signal (
  company_domain text not null,
  signal_key text not null,
  type text not null,
  headline text,
  published_on date,
  url text,
  source text,
  confidence double precision,
  about text,
  first_seen_at timestamp with time zone not null default now(),
  last_changed_at timestamp with time zone not null default now(),
  run_id bigint not null,
  row_hash text not null,
  constraint signal_pk PRIMARY KEY (company_domain, signal_key)
);

CREATE INDEX signal_by_day ON warehouse.signal USING btree (published_on);

create table warehouse.submission (
  submission_key text not null,
  kind text not null,
  night date not null,
  domains text[] not null,
  max_age_days double precision,
  quoted_units integer not null,
  state text not null default 'intent'::text,
  task_id text,
  units_charged integer,
  units_refunded integer,
  reason text,
  intended_at timestamp with time zone not null default now(),
  submitted_at timestamp with time zone,
  reconciled_at timestamp with time zone,
  run_id bigint not null,
  constraint submission_kind_is_known CHECK ((kind = ANY (ARRAY['list'::text, 'batch'::text, 'leadership'::text, 'signals'::text]))),
  constraint submission_pk PRIMARY KEY (submission_key),
  constraint submission_state_is_known CHECK ((state = ANY (ARRAY['intent'::text, 'submitted'::text, 'completed'::text, 'failed'::text, 'refused'::text, 'void'::text, 'unknown'::text])))
);

CREATE INDEX submission_open ON warehouse.submission USING btree (state) WHERE (state = ANY (ARRAY['intent'::text, 'submitted'::text, 'unknown'::text]));

CREATE UNIQUE INDEX submission_task_is_one ON warehouse.submission USING btree (task_id) WHERE (task_id IS NOT NULL);

create table warehouse.tal_member (
  domain text not null,
  source text,
  added_at timestamp with time zone,
  first_seen_at timestamp with time zone not null default now(),
  last_changed_at timestamp with time zone not null default now(),
  gone_at timestamp with time zone,
  run_id bigint not null,
  row_hash text not null,
  constraint tal_member_pk PRIMARY KEY (domain)
);

create view warehouse.due_list as
 SELECT row_number() OVER (ORDER BY stale_at NULLS FIRST, domain) AS rank,
    domain,
    name,
    source,
    state,
    reason,
    stale_at
   FROM warehouse.tal_freshness
  WHERE state = ANY (ARRAY['never'::text, 'stale'::text]);

create view warehouse.firm_version as
 SELECT firm_previous.firm_id,
    firm_previous.sec_number,
    firm_previous.crd_number,
    firm_previous.legal_name,
    firm_previous.business_name,
    firm_previous.firm_type,
    firm_previous.region,
    firm_previous.sec_status,
    firm_previous.sec_status_date,
    firm_previous.latest_filing_date,
    firm_previous.form_version,
    firm_previous.umbrella_registration,
    firm_previous.notice_states,
    firm_previous.cik_number,
    firm_previous.lei,
    firm_previous.street_1,
    firm_previous.street_2,
    firm_previous.city,
    firm_previous.state,
    firm_previous.country,
    firm_previous.postal_code,
    firm_previous.phone,
    firm_previous.fax,
    firm_previous.other_office_count,
    firm_previous.mail_street_1,
    firm_previous.mail_street_2,
    firm_previous.mail_city,
    firm_previous.mail_state,
    firm_previous.mail_country,
    firm_previous.mail_postal_code,
    firm_previous.website,
    firm_previous.website_domain,
    firm_previous.social_url,
    firm_previous.website_count,
    firm_previous.organization_form,
    firm_previous.fiscal_year_end,
    firm_previous.organized_state,
    firm_previous.organized_country,
    firm_previous.public_reporting_company,
    firm_previous.own_assets_over_1bn,
    firm_previous.employee_count,
    firm_previous.advisory_employee_count,
    firm_previous.broker_dealer_rep_count,
    firm_previous.state_adviser_rep_count,
    firm_previous.client_without_assets_count,
    firm_previous.non_us_client_percent,
    firm_previous.aum_discretionary_usd,
    firm_previous.aum_non_discretionary_usd,
    firm_previous.aum_total_usd,
    firm_previous.aum_non_us_usd,
    firm_previous.accounts_discretionary,
    firm_previous.accounts_non_discretionary,
    firm_previous.accounts_total,
    firm_previous.charges_percent_of_assets,
    firm_previous.charges_hourly,
    firm_previous.charges_subscription,
    firm_previous.charges_fixed,
    firm_previous.charges_commissions,
    firm_previous.charges_performance,
    firm_previous.charges_other,
    firm_previous.service_financial_planning,
    firm_previous.service_portfolio_individuals,
    firm_previous.service_portfolio_companies,
    firm_previous.service_portfolio_pooled,
    firm_previous.service_portfolio_institutions,
    firm_previous.service_pension_consulting,
    firm_previous.service_adviser_selection,
    firm_previous.service_periodicals,
    firm_previous.service_ratings,
    firm_previous.service_market_timing,
    firm_previous.service_seminars,
    firm_previous.service_other,
    firm_previous.wrap_fee_program,
    firm_previous.private_funds,
    firm_previous.private_fund_count,
    firm_previous.private_fund_assets_usd,
    firm_previous.custody_cash,
    firm_previous.custody_securities,
    firm_previous.disciplinary_history,
    firm_previous.as_of,
    firm_previous.valid_from,
    firm_previous.valid_to,
    firm_previous.recorded_at,
    firm_previous.superseded_at,
    firm_previous.run_id
   FROM warehouse.firm_previous
UNION ALL
 SELECT firm.firm_id,
    firm.sec_number,
    firm.crd_number,
    firm.legal_name,
    firm.business_name,
    firm.firm_type,
    firm.region,
    firm.sec_status,
    firm.sec_status_date,
    firm.latest_filing_date,
    firm.form_version,
    firm.umbrella_registration,
    firm.notice_states,
    firm.cik_number,
    firm.lei,
    firm.street_1,
    firm.street_2,
    firm.city,
    firm.state,
    firm.country,
    firm.postal_code,
    firm.phone,
    firm.fax,
    firm.other_office_count,
    firm.mail_street_1,
    firm.mail_street_2,
    firm.mail_city,
    firm.mail_state,
    firm.mail_country,
    firm.mail_postal_code,
    firm.website,
    firm.website_domain,
    firm.social_url,
    firm.website_count,
    firm.organization_form,
    firm.fiscal_year_end,
    firm.organized_state,
    firm.organized_country,
    firm.public_reporting_company,
    firm.own_assets_over_1bn,
    firm.employee_count,
    firm.advisory_employee_count,
    firm.broker_dealer_rep_count,
    firm.state_adviser_rep_count,
    firm.client_without_assets_count,
    firm.non_us_client_percent,
    firm.aum_discretionary_usd,
    firm.aum_non_discretionary_usd,
    firm.aum_total_usd,
    firm.aum_non_us_usd,
    firm.accounts_discretionary,
    firm.accounts_non_discretionary,
    firm.accounts_total,
    firm.charges_percent_of_assets,
    firm.charges_hourly,
    firm.charges_subscription,
    firm.charges_fixed,
    firm.charges_commissions,
    firm.charges_performance,
    firm.charges_other,
    firm.service_financial_planning,
    firm.service_portfolio_individuals,
    firm.service_portfolio_companies,
    firm.service_portfolio_pooled,
    firm.service_portfolio_institutions,
    firm.service_pension_consulting,
    firm.service_adviser_selection,
    firm.service_periodicals,
    firm.service_ratings,
    firm.service_market_timing,
    firm.service_seminars,
    firm.service_other,
    firm.wrap_fee_program,
    firm.private_funds,
    firm.private_fund_count,
    firm.private_fund_assets_usd,
    firm.custody_cash,
    firm.custody_securities,
    firm.disciplinary_history,
    firm.as_of,
    firm.valid_from,
    firm.valid_to,
    firm.recorded_at,
    firm.gone_at AS superseded_at,
    firm.run_id
   FROM warehouse.firm;

create view warehouse.group_freshness as
 WITH told AS (
         SELECT bool_or(company.leadership_enriched_at IS NOT NULL) AS leadership,
            bool_or(company.signals_enriched_at IS NOT NULL) AS signals
           FROM warehouse.company
        ), tried AS (
         SELECT domain.domain,
            submission.kind AS field_group,
            max(submission.intended_at) FILTER (WHERE submission.reconciled_at IS NOT NULL) AS last_attempt_at,
            max(submission.intended_at) FILTER (WHERE submission.state = 'completed'::text) AS completed_at,
            bool_or(submission.state = ANY (ARRAY['intent'::text, 'submitted'::text, 'unknown'::text])) AS pending
           FROM warehouse.submission,
            LATERAL unnest(submission.domains) domain(domain)
          WHERE (submission.state = ANY (ARRAY['intent'::text, 'submitted'::text, 'unknown'::text, 'completed'::text, 'failed'::text])) AND (submission.kind = ANY (ARRAY['leadership'::text, 'signals'::text]))
          GROUP BY domain.domain, submission.kind
        ), looked AS (
         SELECT member.domain,
            bought.field_group,
            bought.units,
            tried.last_attempt_at,
            COALESCE(tried.pending, false) AS pending,
            target.max_age_days,
                CASE bought.field_group
                    WHEN 'leadership'::text THEN
                    CASE
                        WHEN told.leadership THEN company.leadership_enriched_at
                        ELSE tried.completed_at
                    END
                    ELSE
                    CASE
                        WHEN told.signals THEN company.signals_enriched_at
                        ELSE tried.completed_at
                    END
                END AS enriched_at
           FROM warehouse.tal_member member
             JOIN warehouse.enrichment_group bought ON bought.field_group = ANY (ARRAY['leadership'::text, 'signals'::text])
             CROSS JOIN told
             LEFT JOIN warehouse.company ON company.domain = member.domain
             LEFT JOIN tried ON tried.domain = member.domain AND tried.field_group = bought.field_group
             CROSS JOIN LATERAL ( SELECT freshness_target.max_age_days
                   FROM warehouse.freshness_target
                  WHERE freshness_target.source = ANY (ARRAY[member.source, ''::text])
                  ORDER BY freshness_target.source DESC
                 LIMIT 1) target
          WHERE member.gone_at IS NULL
        )
 SELECT domain,
    field_group,
    units,
    enriched_at,
    last_attempt_at,
    max_age_days,
        CASE
            WHEN NOT pending THEN GREATEST(COALESCE(enriched_at + max_age_days * '1 day'::interval, now()),
            CASE
                WHEN (last_attempt_at - '00:10:00'::interval) > COALESCE(enriched_at, '-infinity'::timestamp with time zone) THEN last_attempt_at + LEAST(max_age_days, 7::double precision) * '1 day'::interval
                ELSE NULL::timestamp with time zone
            END)
            ELSE NULL::timestamp with time zone
        END AS due_at
   FROM looked;

create view warehouse.run_status as
 SELECT DISTINCT ON (run.pipeline) run.pipeline,
    run.state,
    run.outcome,
    run.reasons,
    run.error_message,
    run.id AS run_id,
    run.started_at,
    run.ended_at,
    EXTRACT(epoch FROM COALESCE(run.ended_at, now()) - run.started_at)::double precision AS seconds,
    run.inserted,
    run.updated,
    run.unchanged,
    run.gone,
    run.quarantined,
    run.requests,
    run.units,
    good.ended_at AS last_ok_at
   FROM sync.run
     LEFT JOIN LATERAL ( SELECT ok.ended_at
           FROM sync.run ok
          WHERE ok.pipeline = run.pipeline AND ok.outcome = 'ok'::text
          ORDER BY ok.id DESC
         LIMIT 1) good ON true
  ORDER BY run.pipeline, run.id DESC;

create view warehouse.tal_freshness as
 WITH tried AS (
         SELECT domain.domain,
            max(submission.intended_at) FILTER (WHERE submission.reconciled_at IS NOT NULL) AS last_attempt_at,
            bool_or(submission.state = ANY (ARRAY['intent'::text, 'submitted'::text, 'unknown'::text])) AS open
           FROM warehouse.submission,
            LATERAL unnest(submission.domains) domain(domain)
          WHERE (submission.state = ANY (ARRAY['intent'::text, 'submitted'::text, 'unknown'::text, 'completed'::text, 'failed'::text])) AND (submission.kind = ANY (ARRAY['list'::text, 'batch'::text]))
          GROUP BY domain.domain
        ), aged AS (
         SELECT member.domain,
            member.source,
            company.name,
            company.enrichment_status,
            company.status_reason,
            company.enriched_at,
            company.retry_at,
            tried.last_attempt_at,
            COALESCE(tried.open, false) OR COALESCE(company.enrichment_status = 'pending'::text, false) AS pending,
            target.max_age_days,
            target.due_soon_days,
            company.enriched_at + target.max_age_days * '1 day'::interval AS stale_at,
                CASE
                    WHEN (tried.last_attempt_at - '00:10:00'::interval) > COALESCE(company.enriched_at, '-infinity'::timestamp with time zone) THEN GREATEST(company.retry_at, tried.last_attempt_at + LEAST(target.max_age_days, 7::double precision) * '1 day'::interval)
                    WHEN company.enrichment_status = 'failed'::text THEN company.retry_at
                    ELSE NULL::timestamp with time zone
                END AS not_before
           FROM warehouse.tal_member member
             LEFT JOIN warehouse.company ON company.domain = member.domain
             LEFT JOIN tried ON tried.domain = member.domain
             CROSS JOIN LATERAL ( SELECT freshness_target.max_age_days,
                    freshness_target.due_soon_days
                   FROM warehouse.freshness_target
                  WHERE freshness_target.source = ANY (ARRAY[member.source, ''::text])
                  ORDER BY freshness_target.source DESC
                 LIMIT 1) target
          WHERE member.gone_at IS NULL
        )
 SELECT domain,
    name,
    source,
    enrichment_status,
    enriched_at,
    max_age_days,
    stale_at,
    last_attempt_at,
    not_before,
        CASE
            WHEN pending THEN 'pending'::text
            WHEN not_before > now() THEN 'failing'::text
            WHEN enriched_at IS NULL THEN 'never'::text
            WHEN stale_at <= now() THEN 'stale'::text
            WHEN stale_at <= (now() + due_soon_days * '1 day'::interval) THEN 'due_soon'::text
            ELSE 'fresh'::text
        END AS state,
        CASE
            WHEN pending THEN 'its enrichment is under way'::text
            WHEN not_before > now() THEN format('tried on %s without success (%s); again from %s'::text, last_attempt_at::date, COALESCE(status_reason, enrichment_status, 'no reason given'::text), not_before::date)
            WHEN enriched_at IS NULL THEN 'never enriched'::text
            WHEN stale_at <= now() THEN format('enriched %s days ago, %s allowed'::text, floor(EXTRACT(epoch FROM now() - enriched_at) / 86400::numeric), max_age_days)
            WHEN stale_at <= (now() + due_soon_days * '1 day'::interval) THEN format('stale on %s'::text, stale_at::date)
            ELSE format('fresh until %s'::text, stale_at::date)
        END AS reason
   FROM aged;

create view warehouse.units_forecast as
 WITH nights AS (
         SELECT night.night::date AS night
           FROM generate_series(CURRENT_DATE::timestamp with time zone, (CURRENT_DATE + 13)::timestamp with time zone, '1 day'::interval) night(night)
        ), of_groups AS (
         SELECT GREATEST(group_freshness.due_at, now())::date AS night,
            sum(group_freshness.units)::integer AS units
           FROM warehouse.group_freshness
          WHERE group_freshness.due_at IS NOT NULL
          GROUP BY (GREATEST(group_freshness.due_at, now())::date)
        )
 SELECT nights.night,
    count(freshness.domain) FILTER (WHERE freshness.state = 'never'::text)::integer AS never_enriched,
    count(freshness.domain) FILTER (WHERE freshness.state <> 'never'::text)::integer AS becoming_stale,
    (count(freshness.domain) * COALESCE(( SELECT enrichment_group.units
           FROM warehouse.enrichment_group
          WHERE enrichment_group.field_group = 'company'::text), 0) + COALESCE(of_groups.units, 0))::integer AS units
   FROM nights
     LEFT JOIN warehouse.tal_freshness freshness ON freshness.state <> 'pending'::text AND GREATEST(COALESCE(freshness.stale_at, now()), COALESCE(freshness.not_before, now()), now())::date = nights.night
     LEFT JOIN of_groups ON of_groups.night = nights.night
  GROUP BY nights.night, of_groups.units
  ORDER BY nights.night;

CREATE OR REPLACE FUNCTION warehouse.company_as_of(moment timestamp with time zone)
 RETURNS TABLE(domain text, fields jsonb)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT company.domain,
     (jsonb_build_object('name', company.name, 'legal_name', company.legal_name, 'description', company.description, 'industry', company.industry, 'employee_count', company.employee_count, 'employee_range', company.employee_range, 'headquarters_street', company.headquarters_street, 'headquarters_city', company.headquarters_city, 'headquarters_state', company.headquarters_state, 'headquarters_postal_code', company.headquarters_postal_code, 'headquarters_country', company.headquarters_country, 'phone', company.phone, 'social_url', company.social_url, 'logo_url', company.logo_url, 'founded_year', company.founded_year) || COALESCE(undone.fields, '{}'::jsonb))
    FROM (warehouse.company
      LEFT JOIN LATERAL ( SELECT jsonb_object_agg(first_after.field, first_after.old_value) AS fields
            FROM ( SELECT DISTINCT ON (event.field) event.field,
                     event.old_value
                    FROM warehouse.history_event event
                   WHERE ((event.domain = company.domain) AND (event.entity = 'company'::text) AND (event.changed_at > company_as_of.moment))
                   ORDER BY event.field, event.changed_at, event.event_key) first_after) undone ON (true));
END;

CREATE OR REPLACE FUNCTION warehouse.firm_as_of(moment timestamp with time zone)
 RETURNS SETOF warehouse.firm_version
 LANGUAGE sql
 STABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT firm_version.firm_id,
     firm_version.sec_number,
     firm_version.crd_number,
     firm_version.legal_name,
     firm_version.business_name,
     firm_version.firm_type,
     firm_version.region,
     firm_version.sec_status,
     firm_version.sec_status_date,
     firm_version.latest_filing_date,
     firm_version.form_version,
     firm_version.umbrella_registration,
     firm_version.notice_states,
     firm_version.cik_number,
     firm_version.lei,
     firm_version.street_1,
     firm_version.street_2,
     firm_version.city,
     firm_version.state,
     firm_version.country,
     firm_version.postal_code,
     firm_version.phone,
     firm_version.fax,
     firm_version.other_office_count,
     firm_version.mail_street_1,
     firm_version.mail_street_2,
     firm_version.mail_city,
     firm_version.mail_state,
     firm_version.mail_country,
     firm_version.mail_postal_code,
     firm_version.website,
     firm_version.website_domain,
     firm_version.social_url,
     firm_version.website_count,
     firm_version.organization_form,
     firm_version.fiscal_year_end,
     firm_version.organized_state,
     firm_version.organized_country,
     firm_version.public_reporting_company,
     firm_version.own_assets_over_1bn,
     firm_version.employee_count,
     firm_version.advisory_employee_count,
     firm_version.broker_dealer_rep_count,
     firm_version.state_adviser_rep_count,
     firm_version.client_without_assets_count,
     firm_version.non_us_client_percent,
     firm_version.aum_discretionary_usd,
     firm_version.aum_non_discretionary_usd,
     firm_version.aum_total_usd,
     firm_version.aum_non_us_usd,
     firm_version.accounts_discretionary,
     firm_version.accounts_non_discretionary,
     firm_version.accounts_total,
     firm_version.charges_percent_of_assets,
     firm_version.charges_hourly,
     firm_version.charges_subscription,
     firm_version.charges_fixed,
     firm_version.charges_commissions,
     firm_version.charges_performance,
     firm_version.charges_other,
     firm_version.service_financial_planning,
     firm_version.service_portfolio_individuals,
     firm_version.service_portfolio_companies,
     firm_version.service_portfolio_pooled,
     firm_version.service_portfolio_institutions,
     firm_version.service_pension_consulting,
     firm_version.service_adviser_selection,
     firm_version.service_periodicals,
     firm_version.service_ratings,
     firm_version.service_market_timing,
     firm_version.service_seminars,
     firm_version.service_other,
     firm_version.wrap_fee_program,
     firm_version.private_funds,
     firm_version.private_fund_count,
     firm_version.private_fund_assets_usd,
     firm_version.custody_cash,
     firm_version.custody_securities,
     firm_version.disciplinary_history,
     firm_version.as_of,
     firm_version.valid_from,
     firm_version.valid_to,
     firm_version.recorded_at,
     firm_version.superseded_at,
     firm_version.run_id
    FROM warehouse.firm_version
   WHERE ((firm_version.valid_from <= firm_as_of.moment) AND ((firm_version.valid_to IS NULL) OR (firm_as_of.moment < firm_version.valid_to)));
END;
