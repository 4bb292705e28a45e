-- `firm` contains the current state of every firm, and `firm_previous` contains earlier states. The view `firm_version`
-- combines both.

-- Columns shared by both tables and the view.
create temporary table firm_columns (
  firm_id text collate "C" not null,
  sec_number text collate "C" not null,
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
  extra jsonb,
  as_of date,
  valid_from timestamptz not null,
  recorded_at timestamptz not null default now(),
  run_id bigint not null
);
comment on column firm_columns.firm_id is 'CRD number, or the SEC number if the service returns no CRD number';
comment on column firm_columns.sec_number is 'SEC file number, such as 801-12345. Unique among current firms, but it can change.';
comment on column firm_columns.crd_number is 'Organization CRD number. Unique and permanent.';
comment on column firm_columns.legal_name is 'Full legal name (1A)';
comment on column firm_columns.business_name is 'Name under which business is primarily conducted (1B)';
comment on column firm_columns.firm_type is 'registered, or exempt for an exempt reporting adviser';
comment on column firm_columns.region is 'Region code of the SEC office: NYRO, BRO, PLRO, ARO, MIRO, CHRO, FWRO, DRO, LARO, SFRO; HQ for offices abroad';
comment on column firm_columns.sec_status is 'Registration status with the SEC, as filed';
comment on column firm_columns.sec_status_date is 'Date on which the registration status took effect';
comment on column firm_columns.latest_filing_date is 'Date of the latest Form ADV filing';
comment on column firm_columns.form_version is 'Version of the filed form';
comment on column firm_columns.umbrella_registration is 'Umbrella registration: the firm also files on behalf of relying advisers';
comment on column firm_columns.notice_states is 'States with a notice filing, as two-letter codes in alphabetical order';
comment on column firm_columns.cik_number is 'EDGAR central index key';
comment on column firm_columns.lei is 'Legal entity identifier (1P)';
comment on column firm_columns.street_1 is 'Principal office: first line of the street address (1F)';
comment on column firm_columns.street_2 is 'Principal office: second line of the street address';
comment on column firm_columns.city is 'Principal office: city';
comment on column firm_columns.state is 'Principal office: state (two-letter code in the US)';
comment on column firm_columns.country is 'Principal office: country';
comment on column firm_columns.postal_code is 'Principal office: postal code';
comment on column firm_columns.phone is 'Principal office: telephone number, as filed';
comment on column firm_columns.fax is 'Principal office: fax number, as filed';
comment on column firm_columns.other_office_count is 'Number of offices other than the principal office (1F(5))';
comment on column firm_columns.mail_street_1 is 'Mailing address, if different: first line';
comment on column firm_columns.mail_street_2 is 'Mailing address: second line';
comment on column firm_columns.mail_city is 'Mailing address: city';
comment on column firm_columns.mail_state is 'Mailing address: state';
comment on column firm_columns.mail_country is 'Mailing address: country';
comment on column firm_columns.mail_postal_code is 'Mailing address: postal code';
comment on column firm_columns.website is 'First website address that is not a social media profile (1I)';
comment on column firm_columns.website_domain is 'Registrable domain of the website';
comment on column firm_columns.social_url is 'First social media profile URL';
comment on column firm_columns.website_count is 'Number of website addresses filed';
comment on column firm_columns.organization_form is 'Form of organization (3A)';
comment on column firm_columns.fiscal_year_end is 'Month in which the fiscal year ends (3B)';
comment on column firm_columns.organized_state is 'State under whose laws the firm is organized (3C)';
comment on column firm_columns.organized_country is 'Country under whose laws the firm is organized (3C)';
comment on column firm_columns.public_reporting_company is 'Public reporting company under sections 12 or 15(d) of the Exchange Act (1N)';
comment on column firm_columns.own_assets_over_1bn is 'Whether the firm has own assets of one billion US dollars or more (1O)';
comment on column firm_columns.employee_count is 'Full-time and part-time employees, excluding clerical workers (5A)';
comment on column firm_columns.advisory_employee_count is 'Employees who perform investment advisory functions (5B(1))';
comment on column firm_columns.broker_dealer_rep_count is 'Employees who are registered representatives of a broker-dealer (5B(2))';
comment on column firm_columns.state_adviser_rep_count is 'Employees registered with a state as investment adviser representatives (5B(3))';
comment on column firm_columns.client_without_assets_count is 'Clients served without regulatory assets under management (5C(1))';
comment on column firm_columns.non_us_client_percent is 'Percentage of clients who are not US persons (5C(2))';
comment on column firm_columns.aum_discretionary_usd is 'Discretionary regulatory assets under management (5F(2)(a)), in US dollars';
comment on column firm_columns.aum_non_discretionary_usd is 'Non-discretionary regulatory assets under management (5F(2)(b)), in US dollars';
comment on column firm_columns.aum_total_usd is 'Total regulatory assets under management (5F(2)(c)), in US dollars';
comment on column firm_columns.aum_non_us_usd is 'Regulatory assets under management attributable to clients who are not US persons (5F(3)), in US dollars';
comment on column firm_columns.accounts_discretionary is 'Discretionary accounts (5F(2)(d))';
comment on column firm_columns.accounts_non_discretionary is 'Non-discretionary accounts (5F(2)(e))';
comment on column firm_columns.accounts_total is 'Total accounts (5F(2)(f))';
comment on column firm_columns.charges_percent_of_assets is 'Compensated by a percentage of assets under management (5E(1))';
comment on column firm_columns.charges_hourly is 'Compensated by hourly charges (5E(2))';
comment on column firm_columns.charges_subscription is 'Compensated by subscription fees (5E(3))';
comment on column firm_columns.charges_fixed is 'Compensated by fixed fees (5E(4))';
comment on column firm_columns.charges_commissions is 'Compensated by commissions (5E(5))';
comment on column firm_columns.charges_performance is 'Compensated by performance-based fees (5E(6))';
comment on column firm_columns.charges_other is 'Compensated in another way (5E(7))';
comment on column firm_columns.service_financial_planning is 'Financial planning services (5G(1))';
comment on column firm_columns.service_portfolio_individuals is 'Portfolio management for individuals and small businesses (5G(2))';
comment on column firm_columns.service_portfolio_companies is 'Portfolio management for investment companies (5G(3))';
comment on column firm_columns.service_portfolio_pooled is 'Portfolio management for other pooled vehicles (5G(4))';
comment on column firm_columns.service_portfolio_institutions is 'Portfolio management for businesses and institutions (5G(5))';
comment on column firm_columns.service_pension_consulting is 'Pension consulting (5G(6))';
comment on column firm_columns.service_adviser_selection is 'Selection of other advisers (5G(7))';
comment on column firm_columns.service_periodicals is 'Publication of periodicals or newsletters (5G(8))';
comment on column firm_columns.service_ratings is 'Security ratings or pricing (5G(9))';
comment on column firm_columns.service_market_timing is 'Market timing (5G(10))';
comment on column firm_columns.service_seminars is 'Educational seminars or workshops (5G(11))';
comment on column firm_columns.service_other is 'Other advisory services (5G(12))';
comment on column firm_columns.wrap_fee_program is 'Participates in a wrap fee program (5I(1))';
comment on column firm_columns.private_funds is 'Adviser to a private fund (7B)';
comment on column firm_columns.private_fund_count is 'Private funds reported in section 7.B.(1)';
comment on column firm_columns.private_fund_assets_usd is 'Gross assets of the reported private funds, in US dollars';
comment on column firm_columns.custody_cash is 'Custody of clients'' cash or bank accounts (9A(1)(a))';
comment on column firm_columns.custody_securities is 'Custody of clients'' securities (9A(1)(b))';
comment on column firm_columns.disciplinary_history is 'Whether the firm or an advisory affiliate discloses any disciplinary history (11)';
comment on column firm_columns.extra is 'Fields that have no column here, keyed by the service''s field names. Null if there are none';
comment on column firm_columns.as_of is 'Date of the roster that introduced these values, if reported by the service';
comment on column firm_columns.valid_from is 'Start of validity: as_of if known, otherwise the ingestion time';
comment on column firm_columns.recorded_at is 'Time at which the warehouse ingested these values';

create table warehouse.firm (
  like firm_columns including comments including defaults,
  valid_to timestamptz,
  first_seen_at timestamptz not null default now(),
  last_changed_at timestamptz not null default now(),
  gone_at timestamptz,
  row_hash uuid not null,
  primary key (firm_id),
  constraint firm_valid_to_check check (valid_from < valid_to),
  constraint firm_gone_check check ((gone_at is null) = (valid_to is null))
);
create index firm_by_sec_number on warehouse.firm (sec_number);
create index firm_by_website_domain on warehouse.firm (website_domain) where website_domain is not null;
comment on table warehouse.firm is 'Investment advisers as currently returned by the service, one row per firm. A firm that the service no longer returns keeps its row, with gone_at set';
comment on column warehouse.firm.run_id is 'Run that last wrote the row';
comment on column warehouse.firm.valid_to is 'End of validity if the firm is gone. Null for a current firm';
comment on column warehouse.firm.first_seen_at is 'Time at which the warehouse first ingested the firm';
comment on column warehouse.firm.last_changed_at is 'Time at which the values last changed or the firm was marked as gone';
comment on column warehouse.firm.gone_at is 'Time of the first complete pull that did not include the firm. Null for a current firm';
comment on column warehouse.firm.row_hash is 'Hash of the values, used to detect changes';

create table warehouse.firm_previous (
  like firm_columns including comments,
  valid_to timestamptz not null,
  superseded_at timestamptz not null default now(),
  primary key (firm_id, valid_from),
  constraint firm_previous_valid_to_check check (valid_from < valid_to)
);
comment on table warehouse.firm_previous is 'Superseded states of firms, one row per state. Rows are not updated. Most queries are easier to write with firm_version';
comment on column warehouse.firm_previous.run_id is 'Run that wrote these values to `firm`';
comment on column warehouse.firm_previous.valid_to is 'End of validity, exclusive';
comment on column warehouse.firm_previous.superseded_at is 'Time at which the warehouse ingested the next state';

do $$
declare
  columns text := (
    select string_agg(quote_ident(attname), ', ' order by attnum)
    from pg_attribute where attrelid = 'warehouse.firm_previous'::regclass and attnum > 0
  );
  comments cursor for
    select attname, col_description(attrelid, attnum) as text
    from pg_attribute where attrelid = 'warehouse.firm_previous'::regclass and attnum > 0;
begin
  execute format(
    'create view warehouse.firm_version as select %s from warehouse.firm_previous union all select %s from warehouse.firm',
    columns, replace(columns, 'superseded_at', 'gone_at'));
  for comment in comments loop
    execute format('comment on column warehouse.firm_version.%I is %L', comment.attname, comment.text);
  end loop;
end
$$;
comment on view warehouse.firm_version is 'All states of all firms, current and superseded, with their validity';
comment on column warehouse.firm_version.valid_to is 'End of validity, exclusive. Null if still valid';
comment on column warehouse.firm_version.superseded_at is 'Time at which the warehouse detected that the values were no longer valid. Null if the values are still valid';
comment on column warehouse.firm_version.run_id is 'Run that wrote these values';

drop table firm_columns;

create table warehouse.firm_coverage (
  valid_from timestamptz primary key,
  valid_to timestamptz,
  data_as_of date,
  checked_at timestamptz not null default now(),
  run_id bigint not null,
  constraint firm_coverage_valid_to_check check (valid_from < valid_to)
);
comment on table warehouse.firm_coverage is 'Periods for which firm_as_of is exact. A period ends where the warehouse has a gap, either because several rosters were published between two pulls or because a pull was incomplete';
comment on column warehouse.firm_coverage.valid_from is 'Date of the data in the period''s first complete pull, or the time of the pull if the service reports no date';
comment on column warehouse.firm_coverage.valid_to is 'End of the period, exclusive: start of the gap. Null for the current period';
comment on column warehouse.firm_coverage.data_as_of is 'Date of the newest data in the latest complete pull';
comment on column warehouse.firm_coverage.checked_at is 'End of the latest complete pull';
comment on column warehouse.firm_coverage.run_id is 'Run of the latest complete pull';

create function warehouse.firm_as_of(moment timestamptz) returns setof warehouse.firm_version
language plpgsql stable parallel safe set timezone to 'UTC' as $$
declare
  period warehouse.firm_coverage;
begin
  if moment > now() then
    raise exception 'firms are unknown as of %: this time is in the future', moment;
  end if;
  select * into period from warehouse.firm_coverage where valid_from <= moment order by valid_from desc limit 1;
  if not found then
    raise exception 'firms are unknown as of %: the first complete pull has data of %', moment,
      coalesce((select min(valid_from)::text from warehouse.firm_coverage), 'no date, because no pull was complete')
      using hint = 'warehouse.firm_coverage lists the periods that can be read.';
  end if;
  if moment >= period.valid_to then
    raise exception 'firms are incomplete as of %: the warehouse missed data between this time and the next complete pull', moment
      using hint = 'warehouse.firm_coverage lists the periods that can be read.';
  end if;
  if period.valid_to is null and exists (select from warehouse.firm where recorded_at > period.checked_at and valid_from <= moment) then
    raise exception 'firms are incomplete as of %: the latest pull is not complete', moment
      using hint = 'Run talhouse run firms, or read an earlier time.';
  end if;
  return query select * from warehouse.firm_version where valid_from <= moment and (valid_to is null or moment < valid_to);
end
$$;
comment on function warehouse.firm_as_of(timestamptz) is 'Firms as they were at a point in time. Fails if the warehouse does not have complete data for that time';

-- Text, dates and timestamps without an offset are interpreted as UTC, regardless of the session's time zone.
create function warehouse.firm_as_of(moment text) returns setof warehouse.firm_version
language sql stable parallel safe set timezone to 'UTC' as $$ select * from warehouse.firm_as_of(moment::timestamptz) $$;
comment on function warehouse.firm_as_of(text) is 'Firms as they were at a point in time. Times without an offset are in UTC. Example: select * from warehouse.firm_as_of(''2022-09-01'');';
create function warehouse.firm_as_of(moment timestamp) returns setof warehouse.firm_version
language sql stable parallel safe begin atomic select * from warehouse.firm_as_of(moment at time zone 'UTC'); end;
comment on function warehouse.firm_as_of(timestamp) is 'Firms as they were at a point in time, in UTC';
create function warehouse.firm_as_of(moment date) returns setof warehouse.firm_version
language sql stable parallel safe begin atomic select * from warehouse.firm_as_of(moment::timestamp at time zone 'UTC'); end;
comment on function warehouse.firm_as_of(date) is 'Firms as they were at the start of a day, in UTC';
