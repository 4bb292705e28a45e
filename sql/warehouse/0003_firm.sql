-- The present state of every firm. Earlier states are in firm_previous; both together are the view firm_version.
create table warehouse.firm (
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
  as_of date,
  valid_from timestamptz not null,
  valid_to timestamptz,
  recorded_at timestamptz not null default now(),
  run_id bigint not null,
  first_seen_at timestamptz not null default now(),
  last_changed_at timestamptz not null default now(),
  gone_at timestamptz,
  row_hash uuid not null,
  constraint firm_pk primary key (firm_id),
  constraint firm_holds_for_a_time check (valid_from < valid_to),
  constraint firm_gone_says_until_when check ((gone_at is null) = (valid_to is null))
);
create index firm_by_sec_number on warehouse.firm (sec_number);
create index firm_by_website_domain on warehouse.firm (website_domain) where website_domain is not null;
comment on table warehouse.firm is 'Investment advisers, one row a firm, as the service shows them now. Firms that the service no longer has keep their row, with gone_at.';
comment on column warehouse.firm.firm_id is 'Key of the firm: its CRD number, or its SEC number where the service gives no CRD number';
comment on column warehouse.firm.sec_number is 'SEC file number, such as 801-12345. Unique among the firms of today; a firm may get another one.';
comment on column warehouse.firm.crd_number is 'Organization CRD number. Unique, and stays with the firm for life.';
comment on column warehouse.firm.legal_name is 'Full legal name (1A)';
comment on column warehouse.firm.business_name is 'Name under which business is primarily conducted (1B)';
comment on column warehouse.firm.firm_type is 'registered, or exempt for an exempt reporting adviser';
comment on column warehouse.firm.region is 'Region code of the SEC office: NYRO, BRO, PLRO, ARO, MIRO, CHRO, FWRO, DRO, LARO, SFRO; HQ for offices abroad';
comment on column warehouse.firm.sec_status is 'Registration status with the SEC, as filed';
comment on column warehouse.firm.sec_status_date is 'Day on which that status took effect';
comment on column warehouse.firm.latest_filing_date is 'Day of the latest Form ADV filing';
comment on column warehouse.firm.form_version is 'Version of the form that was filed';
comment on column warehouse.firm.umbrella_registration is 'Files for relying advisers too';
comment on column warehouse.firm.notice_states is 'States with a notice filing, as two-letter codes in alphabetical order';
comment on column warehouse.firm.cik_number is 'EDGAR central index key';
comment on column warehouse.firm.lei is 'Legal entity identifier (1P)';
comment on column warehouse.firm.street_1 is 'Principal office: first line of the street address (1F)';
comment on column warehouse.firm.street_2 is 'Principal office: second line of the street address';
comment on column warehouse.firm.city is 'Principal office: city';
comment on column warehouse.firm.state is 'Principal office: state; two-letter code in the US';
comment on column warehouse.firm.country is 'Principal office: country';
comment on column warehouse.firm.postal_code is 'Principal office: postal code';
comment on column warehouse.firm.phone is 'Principal office: telephone number, as filed';
comment on column warehouse.firm.fax is 'Principal office: facsimile number, as filed';
comment on column warehouse.firm.other_office_count is 'Offices other than the principal one (1F(5))';
comment on column warehouse.firm.mail_street_1 is 'Mailing address, where it differs: first line';
comment on column warehouse.firm.mail_street_2 is 'Mailing address: second line';
comment on column warehouse.firm.mail_city is 'Mailing address: city';
comment on column warehouse.firm.mail_state is 'Mailing address: state';
comment on column warehouse.firm.mail_country is 'Mailing address: country';
comment on column warehouse.firm.mail_postal_code is 'Mailing address: postal code';
comment on column warehouse.firm.website is 'First web address that is not a profile on a social network (1I)';
comment on column warehouse.firm.website_domain is 'Registrable domain of that address';
comment on column warehouse.firm.social_url is 'First profile address on a social network';
comment on column warehouse.firm.website_count is 'Web addresses filed';
comment on column warehouse.firm.organization_form is 'Form of organization (3A)';
comment on column warehouse.firm.fiscal_year_end is 'Month in which the fiscal year ends (3B)';
comment on column warehouse.firm.organized_state is 'State under whose laws it is organized (3C)';
comment on column warehouse.firm.organized_country is 'Country under whose laws it is organized (3C)';
comment on column warehouse.firm.public_reporting_company is 'Public reporting company under sections 12 or 15(d) of the Exchange Act (1N)';
comment on column warehouse.firm.own_assets_over_1bn is 'Own assets of one billion US dollars or more (1O)';
comment on column warehouse.firm.employee_count is 'Employees, full and part time, clerical workers aside (5A)';
comment on column warehouse.firm.advisory_employee_count is 'Employees who perform investment advisory functions (5B(1))';
comment on column warehouse.firm.broker_dealer_rep_count is 'Employees who are registered representatives of a broker-dealer (5B(2))';
comment on column warehouse.firm.state_adviser_rep_count is 'Employees registered with a state as investment adviser representatives (5B(3))';
comment on column warehouse.firm.client_without_assets_count is 'Clients served without regulatory assets under management (5C(1))';
comment on column warehouse.firm.non_us_client_percent is 'Share of clients that are not US persons, in percent (5C(2))';
comment on column warehouse.firm.aum_discretionary_usd is 'Discretionary regulatory assets under management (5F(2)(a)), in US dollars';
comment on column warehouse.firm.aum_non_discretionary_usd is 'Non-discretionary regulatory assets under management (5F(2)(b)), in US dollars';
comment on column warehouse.firm.aum_total_usd is 'Total regulatory assets under management (5F(2)(c)), in US dollars';
comment on column warehouse.firm.aum_non_us_usd is 'Part of the assets attributable to clients who are not US persons (5F(3)), in US dollars';
comment on column warehouse.firm.accounts_discretionary is 'Discretionary accounts (5F(2)(d))';
comment on column warehouse.firm.accounts_non_discretionary is 'Non-discretionary accounts (5F(2)(e))';
comment on column warehouse.firm.accounts_total is 'Accounts in all (5F(2)(f))';
comment on column warehouse.firm.charges_percent_of_assets is 'Paid by a percentage of assets under management (5E(1))';
comment on column warehouse.firm.charges_hourly is 'Paid by hourly charges (5E(2))';
comment on column warehouse.firm.charges_subscription is 'Paid by subscription fees (5E(3))';
comment on column warehouse.firm.charges_fixed is 'Paid by fixed fees (5E(4))';
comment on column warehouse.firm.charges_commissions is 'Paid by commissions (5E(5))';
comment on column warehouse.firm.charges_performance is 'Paid by performance-based fees (5E(6))';
comment on column warehouse.firm.charges_other is 'Paid in another way (5E(7))';
comment on column warehouse.firm.service_financial_planning is 'Financial planning services (5G(1))';
comment on column warehouse.firm.service_portfolio_individuals is 'Portfolio management for individuals and small businesses (5G(2))';
comment on column warehouse.firm.service_portfolio_companies is 'Portfolio management for investment companies (5G(3))';
comment on column warehouse.firm.service_portfolio_pooled is 'Portfolio management for other pooled vehicles (5G(4))';
comment on column warehouse.firm.service_portfolio_institutions is 'Portfolio management for businesses and institutions (5G(5))';
comment on column warehouse.firm.service_pension_consulting is 'Pension consulting (5G(6))';
comment on column warehouse.firm.service_adviser_selection is 'Selection of other advisers (5G(7))';
comment on column warehouse.firm.service_periodicals is 'Publication of periodicals or newsletters (5G(8))';
comment on column warehouse.firm.service_ratings is 'Security ratings or pricing (5G(9))';
comment on column warehouse.firm.service_market_timing is 'Market timing (5G(10))';
comment on column warehouse.firm.service_seminars is 'Educational seminars or workshops (5G(11))';
comment on column warehouse.firm.service_other is 'Another advisory service (5G(12))';
comment on column warehouse.firm.wrap_fee_program is 'Takes part in a wrap fee program (5I(1))';
comment on column warehouse.firm.private_funds is 'Adviser to a private fund (7B)';
comment on column warehouse.firm.private_fund_count is 'Private funds reported in section 7.B.(1)';
comment on column warehouse.firm.private_fund_assets_usd is 'Gross assets of those private funds, in US dollars';
comment on column warehouse.firm.custody_cash is 'Custody of clients'' cash or bank accounts (9A(1)(a))';
comment on column warehouse.firm.custody_securities is 'Custody of clients'' securities (9A(1)(b))';
comment on column warehouse.firm.disciplinary_history is 'Any disclosure of disciplinary history by the firm or an advisory affiliate (11)';
comment on column warehouse.firm.as_of is 'Day of the roster since which these values are known, where the service says so';
comment on column warehouse.firm.valid_from is 'Since when these values hold: as_of where the service gives it, else when they were pulled';
comment on column warehouse.firm.valid_to is 'Until when they held, for a firm that is gone; null for a firm of today';
comment on column warehouse.firm.recorded_at is 'When the warehouse took these values in';
comment on column warehouse.firm.run_id is 'The run that wrote the row last';
comment on column warehouse.firm.first_seen_at is 'When the warehouse first saw the firm';
comment on column warehouse.firm.last_changed_at is 'When its values changed last, or it was marked gone';
comment on column warehouse.firm.gone_at is 'When a complete pull no longer held the firm; null for a firm of today';
comment on column warehouse.firm.row_hash is 'Hash of the values: a pull compares it to tell what changed';

create table warehouse.firm_previous (
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
  as_of date,
  valid_from timestamptz not null,
  valid_to timestamptz not null,
  recorded_at timestamptz not null,
  superseded_at timestamptz not null default now(),
  run_id bigint not null,
  constraint firm_past_pk primary key (firm_id, valid_from),
  constraint firm_past_holds_for_a_time check (valid_from < valid_to)
);
comment on table warehouse.firm_previous is 'Earlier states of firms, one row a state; written once, never changed. Most questions are easier on firm_version.';
comment on column warehouse.firm_previous.firm_id is 'Key of the firm, as in firm';
comment on column warehouse.firm_previous.sec_number is 'SEC file number, such as 801-12345. Unique among the firms of today; a firm may get another one.';
comment on column warehouse.firm_previous.crd_number is 'Organization CRD number. Unique, and stays with the firm for life.';
comment on column warehouse.firm_previous.legal_name is 'Full legal name (1A)';
comment on column warehouse.firm_previous.business_name is 'Name under which business is primarily conducted (1B)';
comment on column warehouse.firm_previous.firm_type is 'registered, or exempt for an exempt reporting adviser';
comment on column warehouse.firm_previous.region is 'Region code of the SEC office: NYRO, BRO, PLRO, ARO, MIRO, CHRO, FWRO, DRO, LARO, SFRO; HQ for offices abroad';
comment on column warehouse.firm_previous.sec_status is 'Registration status with the SEC, as filed';
comment on column warehouse.firm_previous.sec_status_date is 'Day on which that status took effect';
comment on column warehouse.firm_previous.latest_filing_date is 'Day of the latest Form ADV filing';
comment on column warehouse.firm_previous.form_version is 'Version of the form that was filed';
comment on column warehouse.firm_previous.umbrella_registration is 'Files for relying advisers too';
comment on column warehouse.firm_previous.notice_states is 'States with a notice filing, as two-letter codes in alphabetical order';
comment on column warehouse.firm_previous.cik_number is 'EDGAR central index key';
comment on column warehouse.firm_previous.lei is 'Legal entity identifier (1P)';
comment on column warehouse.firm_previous.street_1 is 'Principal office: first line of the street address (1F)';
comment on column warehouse.firm_previous.street_2 is 'Principal office: second line of the street address';
comment on column warehouse.firm_previous.city is 'Principal office: city';
comment on column warehouse.firm_previous.state is 'Principal office: state; two-letter code in the US';
comment on column warehouse.firm_previous.country is 'Principal office: country';
comment on column warehouse.firm_previous.postal_code is 'Principal office: postal code';
comment on column warehouse.firm_previous.phone is 'Principal office: telephone number, as filed';
comment on column warehouse.firm_previous.fax is 'Principal office: facsimile number, as filed';
comment on column warehouse.firm_previous.other_office_count is 'Offices other than the principal one (1F(5))';
comment on column warehouse.firm_previous.mail_street_1 is 'Mailing address, where it differs: first line';
comment on column warehouse.firm_previous.mail_street_2 is 'Mailing address: second line';
comment on column warehouse.firm_previous.mail_city is 'Mailing address: city';
comment on column warehouse.firm_previous.mail_state is 'Mailing address: state';
comment on column warehouse.firm_previous.mail_country is 'Mailing address: country';
comment on column warehouse.firm_previous.mail_postal_code is 'Mailing address: postal code';
comment on column warehouse.firm_previous.website is 'First web address that is not a profile on a social network (1I)';
comment on column warehouse.firm_previous.website_domain is 'Registrable domain of that address';
comment on column warehouse.firm_previous.social_url is 'First profile address on a social network';
comment on column warehouse.firm_previous.website_count is 'Web addresses filed';
comment on column warehouse.firm_previous.organization_form is 'Form of organization (3A)';
comment on column warehouse.firm_previous.fiscal_year_end is 'Month in which the fiscal year ends (3B)';
comment on column warehouse.firm_previous.organized_state is 'State under whose laws it is organized (3C)';
comment on column warehouse.firm_previous.organized_country is 'Country under whose laws it is organized (3C)';
comment on column warehouse.firm_previous.public_reporting_company is 'Public reporting company under sections 12 or 15(d) of the Exchange Act (1N)';
comment on column warehouse.firm_previous.own_assets_over_1bn is 'Own assets of one billion US dollars or more (1O)';
comment on column warehouse.firm_previous.employee_count is 'Employees, full and part time, clerical workers aside (5A)';
comment on column warehouse.firm_previous.advisory_employee_count is 'Employees who perform investment advisory functions (5B(1))';
comment on column warehouse.firm_previous.broker_dealer_rep_count is 'Employees who are registered representatives of a broker-dealer (5B(2))';
comment on column warehouse.firm_previous.state_adviser_rep_count is 'Employees registered with a state as investment adviser representatives (5B(3))';
comment on column warehouse.firm_previous.client_without_assets_count is 'Clients served without regulatory assets under management (5C(1))';
comment on column warehouse.firm_previous.non_us_client_percent is 'Share of clients that are not US persons, in percent (5C(2))';
comment on column warehouse.firm_previous.aum_discretionary_usd is 'Discretionary regulatory assets under management (5F(2)(a)), in US dollars';
comment on column warehouse.firm_previous.aum_non_discretionary_usd is 'Non-discretionary regulatory assets under management (5F(2)(b)), in US dollars';
comment on column warehouse.firm_previous.aum_total_usd is 'Total regulatory assets under management (5F(2)(c)), in US dollars';
comment on column warehouse.firm_previous.aum_non_us_usd is 'Part of the assets attributable to clients who are not US persons (5F(3)), in US dollars';
comment on column warehouse.firm_previous.accounts_discretionary is 'Discretionary accounts (5F(2)(d))';
comment on column warehouse.firm_previous.accounts_non_discretionary is 'Non-discretionary accounts (5F(2)(e))';
comment on column warehouse.firm_previous.accounts_total is 'Accounts in all (5F(2)(f))';
comment on column warehouse.firm_previous.charges_percent_of_assets is 'Paid by a percentage of assets under management (5E(1))';
comment on column warehouse.firm_previous.charges_hourly is 'Paid by hourly charges (5E(2))';
comment on column warehouse.firm_previous.charges_subscription is 'Paid by subscription fees (5E(3))';
comment on column warehouse.firm_previous.charges_fixed is 'Paid by fixed fees (5E(4))';
comment on column warehouse.firm_previous.charges_commissions is 'Paid by commissions (5E(5))';
comment on column warehouse.firm_previous.charges_performance is 'Paid by performance-based fees (5E(6))';
comment on column warehouse.firm_previous.charges_other is 'Paid in another way (5E(7))';
comment on column warehouse.firm_previous.service_financial_planning is 'Financial planning services (5G(1))';
comment on column warehouse.firm_previous.service_portfolio_individuals is 'Portfolio management for individuals and small businesses (5G(2))';
comment on column warehouse.firm_previous.service_portfolio_companies is 'Portfolio management for investment companies (5G(3))';
comment on column warehouse.firm_previous.service_portfolio_pooled is 'Portfolio management for other pooled vehicles (5G(4))';
comment on column warehouse.firm_previous.service_portfolio_institutions is 'Portfolio management for businesses and institutions (5G(5))';
comment on column warehouse.firm_previous.service_pension_consulting is 'Pension consulting (5G(6))';
comment on column warehouse.firm_previous.service_adviser_selection is 'Selection of other advisers (5G(7))';
comment on column warehouse.firm_previous.service_periodicals is 'Publication of periodicals or newsletters (5G(8))';
comment on column warehouse.firm_previous.service_ratings is 'Security ratings or pricing (5G(9))';
comment on column warehouse.firm_previous.service_market_timing is 'Market timing (5G(10))';
comment on column warehouse.firm_previous.service_seminars is 'Educational seminars or workshops (5G(11))';
comment on column warehouse.firm_previous.service_other is 'Another advisory service (5G(12))';
comment on column warehouse.firm_previous.wrap_fee_program is 'Takes part in a wrap fee program (5I(1))';
comment on column warehouse.firm_previous.private_funds is 'Adviser to a private fund (7B)';
comment on column warehouse.firm_previous.private_fund_count is 'Private funds reported in section 7.B.(1)';
comment on column warehouse.firm_previous.private_fund_assets_usd is 'Gross assets of those private funds, in US dollars';
comment on column warehouse.firm_previous.custody_cash is 'Custody of clients'' cash or bank accounts (9A(1)(a))';
comment on column warehouse.firm_previous.custody_securities is 'Custody of clients'' securities (9A(1)(b))';
comment on column warehouse.firm_previous.disciplinary_history is 'Any disclosure of disciplinary history by the firm or an advisory affiliate (11)';
comment on column warehouse.firm_previous.as_of is 'Day of the roster since which these values are known, where the service says so';
comment on column warehouse.firm_previous.valid_from is 'Since when these values held';
comment on column warehouse.firm_previous.valid_to is 'Until when they held, that moment excluded';
comment on column warehouse.firm_previous.recorded_at is 'When the warehouse took these values in';
comment on column warehouse.firm_previous.superseded_at is 'When the warehouse took in what came after';
comment on column warehouse.firm_previous.run_id is 'The run that wrote these values into firm';

create view warehouse.firm_version as
select
  firm_id,
  sec_number,
  crd_number,
  legal_name,
  business_name,
  firm_type,
  region,
  sec_status,
  sec_status_date,
  latest_filing_date,
  form_version,
  umbrella_registration,
  notice_states,
  cik_number,
  lei,
  street_1,
  street_2,
  city,
  state,
  country,
  postal_code,
  phone,
  fax,
  other_office_count,
  mail_street_1,
  mail_street_2,
  mail_city,
  mail_state,
  mail_country,
  mail_postal_code,
  website,
  website_domain,
  social_url,
  website_count,
  organization_form,
  fiscal_year_end,
  organized_state,
  organized_country,
  public_reporting_company,
  own_assets_over_1bn,
  employee_count,
  advisory_employee_count,
  broker_dealer_rep_count,
  state_adviser_rep_count,
  client_without_assets_count,
  non_us_client_percent,
  aum_discretionary_usd,
  aum_non_discretionary_usd,
  aum_total_usd,
  aum_non_us_usd,
  accounts_discretionary,
  accounts_non_discretionary,
  accounts_total,
  charges_percent_of_assets,
  charges_hourly,
  charges_subscription,
  charges_fixed,
  charges_commissions,
  charges_performance,
  charges_other,
  service_financial_planning,
  service_portfolio_individuals,
  service_portfolio_companies,
  service_portfolio_pooled,
  service_portfolio_institutions,
  service_pension_consulting,
  service_adviser_selection,
  service_periodicals,
  service_ratings,
  service_market_timing,
  service_seminars,
  service_other,
  wrap_fee_program,
  private_funds,
  private_fund_count,
  private_fund_assets_usd,
  custody_cash,
  custody_securities,
  disciplinary_history,
  as_of, valid_from, valid_to, recorded_at, superseded_at, run_id
from warehouse.firm_previous
union all
select
  firm_id,
  sec_number,
  crd_number,
  legal_name,
  business_name,
  firm_type,
  region,
  sec_status,
  sec_status_date,
  latest_filing_date,
  form_version,
  umbrella_registration,
  notice_states,
  cik_number,
  lei,
  street_1,
  street_2,
  city,
  state,
  country,
  postal_code,
  phone,
  fax,
  other_office_count,
  mail_street_1,
  mail_street_2,
  mail_city,
  mail_state,
  mail_country,
  mail_postal_code,
  website,
  website_domain,
  social_url,
  website_count,
  organization_form,
  fiscal_year_end,
  organized_state,
  organized_country,
  public_reporting_company,
  own_assets_over_1bn,
  employee_count,
  advisory_employee_count,
  broker_dealer_rep_count,
  state_adviser_rep_count,
  client_without_assets_count,
  non_us_client_percent,
  aum_discretionary_usd,
  aum_non_discretionary_usd,
  aum_total_usd,
  aum_non_us_usd,
  accounts_discretionary,
  accounts_non_discretionary,
  accounts_total,
  charges_percent_of_assets,
  charges_hourly,
  charges_subscription,
  charges_fixed,
  charges_commissions,
  charges_performance,
  charges_other,
  service_financial_planning,
  service_portfolio_individuals,
  service_portfolio_companies,
  service_portfolio_pooled,
  service_portfolio_institutions,
  service_pension_consulting,
  service_adviser_selection,
  service_periodicals,
  service_ratings,
  service_market_timing,
  service_seminars,
  service_other,
  wrap_fee_program,
  private_funds,
  private_fund_count,
  private_fund_assets_usd,
  custody_cash,
  custody_securities,
  disciplinary_history,
  as_of, valid_from, valid_to, recorded_at, gone_at, run_id
from warehouse.firm;
comment on view warehouse.firm_version is 'Every state that a firm was in, the present one included: values, and from when to when they held';
comment on column warehouse.firm_version.firm_id is 'Key of the firm, as in firm';
comment on column warehouse.firm_version.sec_number is 'SEC file number, such as 801-12345. Unique among the firms of today; a firm may get another one.';
comment on column warehouse.firm_version.crd_number is 'Organization CRD number. Unique, and stays with the firm for life.';
comment on column warehouse.firm_version.legal_name is 'Full legal name (1A)';
comment on column warehouse.firm_version.business_name is 'Name under which business is primarily conducted (1B)';
comment on column warehouse.firm_version.firm_type is 'registered, or exempt for an exempt reporting adviser';
comment on column warehouse.firm_version.region is 'Region code of the SEC office: NYRO, BRO, PLRO, ARO, MIRO, CHRO, FWRO, DRO, LARO, SFRO; HQ for offices abroad';
comment on column warehouse.firm_version.sec_status is 'Registration status with the SEC, as filed';
comment on column warehouse.firm_version.sec_status_date is 'Day on which that status took effect';
comment on column warehouse.firm_version.latest_filing_date is 'Day of the latest Form ADV filing';
comment on column warehouse.firm_version.form_version is 'Version of the form that was filed';
comment on column warehouse.firm_version.umbrella_registration is 'Files for relying advisers too';
comment on column warehouse.firm_version.notice_states is 'States with a notice filing, as two-letter codes in alphabetical order';
comment on column warehouse.firm_version.cik_number is 'EDGAR central index key';
comment on column warehouse.firm_version.lei is 'Legal entity identifier (1P)';
comment on column warehouse.firm_version.street_1 is 'Principal office: first line of the street address (1F)';
comment on column warehouse.firm_version.street_2 is 'Principal office: second line of the street address';
comment on column warehouse.firm_version.city is 'Principal office: city';
comment on column warehouse.firm_version.state is 'Principal office: state; two-letter code in the US';
comment on column warehouse.firm_version.country is 'Principal office: country';
comment on column warehouse.firm_version.postal_code is 'Principal office: postal code';
comment on column warehouse.firm_version.phone is 'Principal office: telephone number, as filed';
comment on column warehouse.firm_version.fax is 'Principal office: facsimile number, as filed';
comment on column warehouse.firm_version.other_office_count is 'Offices other than the principal one (1F(5))';
comment on column warehouse.firm_version.mail_street_1 is 'Mailing address, where it differs: first line';
comment on column warehouse.firm_version.mail_street_2 is 'Mailing address: second line';
comment on column warehouse.firm_version.mail_city is 'Mailing address: city';
comment on column warehouse.firm_version.mail_state is 'Mailing address: state';
comment on column warehouse.firm_version.mail_country is 'Mailing address: country';
comment on column warehouse.firm_version.mail_postal_code is 'Mailing address: postal code';
comment on column warehouse.firm_version.website is 'First web address that is not a profile on a social network (1I)';
comment on column warehouse.firm_version.website_domain is 'Registrable domain of that address';
comment on column warehouse.firm_version.social_url is 'First profile address on a social network';
comment on column warehouse.firm_version.website_count is 'Web addresses filed';
comment on column warehouse.firm_version.organization_form is 'Form of organization (3A)';
comment on column warehouse.firm_version.fiscal_year_end is 'Month in which the fiscal year ends (3B)';
comment on column warehouse.firm_version.organized_state is 'State under whose laws it is organized (3C)';
comment on column warehouse.firm_version.organized_country is 'Country under whose laws it is organized (3C)';
comment on column warehouse.firm_version.public_reporting_company is 'Public reporting company under sections 12 or 15(d) of the Exchange Act (1N)';
comment on column warehouse.firm_version.own_assets_over_1bn is 'Own assets of one billion US dollars or more (1O)';
comment on column warehouse.firm_version.employee_count is 'Employees, full and part time, clerical workers aside (5A)';
comment on column warehouse.firm_version.advisory_employee_count is 'Employees who perform investment advisory functions (5B(1))';
comment on column warehouse.firm_version.broker_dealer_rep_count is 'Employees who are registered representatives of a broker-dealer (5B(2))';
comment on column warehouse.firm_version.state_adviser_rep_count is 'Employees registered with a state as investment adviser representatives (5B(3))';
comment on column warehouse.firm_version.client_without_assets_count is 'Clients served without regulatory assets under management (5C(1))';
comment on column warehouse.firm_version.non_us_client_percent is 'Share of clients that are not US persons, in percent (5C(2))';
comment on column warehouse.firm_version.aum_discretionary_usd is 'Discretionary regulatory assets under management (5F(2)(a)), in US dollars';
comment on column warehouse.firm_version.aum_non_discretionary_usd is 'Non-discretionary regulatory assets under management (5F(2)(b)), in US dollars';
comment on column warehouse.firm_version.aum_total_usd is 'Total regulatory assets under management (5F(2)(c)), in US dollars';
comment on column warehouse.firm_version.aum_non_us_usd is 'Part of the assets attributable to clients who are not US persons (5F(3)), in US dollars';
comment on column warehouse.firm_version.accounts_discretionary is 'Discretionary accounts (5F(2)(d))';
comment on column warehouse.firm_version.accounts_non_discretionary is 'Non-discretionary accounts (5F(2)(e))';
comment on column warehouse.firm_version.accounts_total is 'Accounts in all (5F(2)(f))';
comment on column warehouse.firm_version.charges_percent_of_assets is 'Paid by a percentage of assets under management (5E(1))';
comment on column warehouse.firm_version.charges_hourly is 'Paid by hourly charges (5E(2))';
comment on column warehouse.firm_version.charges_subscription is 'Paid by subscription fees (5E(3))';
comment on column warehouse.firm_version.charges_fixed is 'Paid by fixed fees (5E(4))';
comment on column warehouse.firm_version.charges_commissions is 'Paid by commissions (5E(5))';
comment on column warehouse.firm_version.charges_performance is 'Paid by performance-based fees (5E(6))';
comment on column warehouse.firm_version.charges_other is 'Paid in another way (5E(7))';
comment on column warehouse.firm_version.service_financial_planning is 'Financial planning services (5G(1))';
comment on column warehouse.firm_version.service_portfolio_individuals is 'Portfolio management for individuals and small businesses (5G(2))';
comment on column warehouse.firm_version.service_portfolio_companies is 'Portfolio management for investment companies (5G(3))';
comment on column warehouse.firm_version.service_portfolio_pooled is 'Portfolio management for other pooled vehicles (5G(4))';
comment on column warehouse.firm_version.service_portfolio_institutions is 'Portfolio management for businesses and institutions (5G(5))';
comment on column warehouse.firm_version.service_pension_consulting is 'Pension consulting (5G(6))';
comment on column warehouse.firm_version.service_adviser_selection is 'Selection of other advisers (5G(7))';
comment on column warehouse.firm_version.service_periodicals is 'Publication of periodicals or newsletters (5G(8))';
comment on column warehouse.firm_version.service_ratings is 'Security ratings or pricing (5G(9))';
comment on column warehouse.firm_version.service_market_timing is 'Market timing (5G(10))';
comment on column warehouse.firm_version.service_seminars is 'Educational seminars or workshops (5G(11))';
comment on column warehouse.firm_version.service_other is 'Another advisory service (5G(12))';
comment on column warehouse.firm_version.wrap_fee_program is 'Takes part in a wrap fee program (5I(1))';
comment on column warehouse.firm_version.private_funds is 'Adviser to a private fund (7B)';
comment on column warehouse.firm_version.private_fund_count is 'Private funds reported in section 7.B.(1)';
comment on column warehouse.firm_version.private_fund_assets_usd is 'Gross assets of those private funds, in US dollars';
comment on column warehouse.firm_version.custody_cash is 'Custody of clients'' cash or bank accounts (9A(1)(a))';
comment on column warehouse.firm_version.custody_securities is 'Custody of clients'' securities (9A(1)(b))';
comment on column warehouse.firm_version.disciplinary_history is 'Any disclosure of disciplinary history by the firm or an advisory affiliate (11)';
comment on column warehouse.firm_version.as_of is 'Day of the roster since which these values are known, where the service says so';
comment on column warehouse.firm_version.valid_from is 'Since when these values held';
comment on column warehouse.firm_version.valid_to is 'Until when they held, that moment excluded; null: still';
comment on column warehouse.firm_version.recorded_at is 'When the warehouse took these values in';
comment on column warehouse.firm_version.superseded_at is 'When the warehouse learned that they no longer hold; null: still do';
comment on column warehouse.firm_version.run_id is 'The run that wrote these values';

create function warehouse.firm_as_of(moment timestamptz) returns setof warehouse.firm_version
language sql stable parallel safe
begin atomic
  select * from warehouse.firm_version where valid_from <= moment and (valid_to is null or moment < valid_to);
end;
comment on function warehouse.firm_as_of(timestamptz) is 'The firms of a moment, with the values that held then: select * from warehouse.firm_as_of(''2022-09-01'')';
