-- Firms as the SEC's rosters and feeds give them. A firm is known by its CRD number for life; its SEC number may change.
create table firm (
  sec_number text collate "C" not null,
  crd_number integer not null,
  legal_name text collate "C",
  business_name text collate "C",
  firm_type text collate "C" not null,
  region text collate "C",
  sec_status text collate "C",
  sec_status_date date,
  latest_filing_date date,
  form_version text collate "C",
  umbrella_registration boolean,
  notice_states text[] collate "C",
  cik_number text collate "C",
  lei text collate "C",
  street_1 text collate "C",
  street_2 text collate "C",
  city text collate "C",
  state text collate "C",
  country text collate "C",
  postal_code text collate "C",
  phone text collate "C",
  fax text collate "C",
  other_office_count integer,
  mail_street_1 text collate "C",
  mail_street_2 text collate "C",
  mail_city text collate "C",
  mail_state text collate "C",
  mail_country text collate "C",
  mail_postal_code text collate "C",
  website text collate "C",
  website_domain text collate "C",
  social_url text collate "C",
  website_count integer,
  organization_form text collate "C",
  fiscal_year_end text collate "C",
  organized_state text collate "C",
  organized_country text collate "C",
  public_reporting_company boolean,
  own_assets_over_1bn boolean,
  employee_count integer,
  advisory_employee_count integer,
  broker_dealer_rep_count integer,
  state_adviser_rep_count integer,
  client_without_assets_count integer,
  non_us_client_percent integer,
  aum_discretionary_usd numeric(20, 2),
  aum_non_discretionary_usd numeric(20, 2),
  aum_total_usd numeric(20, 2),
  aum_non_us_usd numeric(20, 2),
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
  private_fund_assets_usd numeric(20, 2),
  custody_cash boolean,
  custody_securities boolean,
  disciplinary_history boolean,
  items jsonb not null default '{}',
  as_of date not null,
  first_as_of date not null,
  gone_as_of date,
  gone_at timestamptz,
  constraint firm_pkey primary key (crd_number),
  constraint crd_number_is_positive check (crd_number > 0),
  constraint firm_type_is_known check (firm_type in ('registered', 'exempt')),
  constraint gone_has_both_times check ((gone_as_of is null) = (gone_at is null))
);

comment on table firm is 'Investment advisers that file Form ADV, one row each: today''s values, and those of firms that have left.';
comment on column firm.sec_number is 'SEC file number, such as 801-12345. Unique among the firms of today; a firm may get another one.';
comment on column firm.crd_number is 'Organization CRD number. Unique, and stays with the firm for life.';
comment on column firm.legal_name is 'Full legal name (1A)';
comment on column firm.business_name is 'Name under which business is primarily conducted (1B)';
comment on column firm.firm_type is 'registered, or exempt for an exempt reporting adviser';
comment on column firm.region is 'Region code of the SEC office: NYRO, BRO, PLRO, ARO, MIRO, CHRO, FWRO, DRO, LARO, SFRO; HQ for offices abroad';
comment on column firm.sec_status is 'Registration status with the SEC, as filed';
comment on column firm.sec_status_date is 'Day on which that status took effect';
comment on column firm.latest_filing_date is 'Day of the latest Form ADV filing';
comment on column firm.form_version is 'Version of the form that was filed';
comment on column firm.umbrella_registration is 'Files for relying advisers too';
comment on column firm.notice_states is 'States with a notice filing, as two-letter codes in alphabetical order';
comment on column firm.cik_number is 'EDGAR central index key';
comment on column firm.lei is 'Legal entity identifier (1P)';
comment on column firm.street_1 is 'Principal office: first line of the street address (1F)';
comment on column firm.street_2 is 'Principal office: second line of the street address';
comment on column firm.city is 'Principal office: city';
comment on column firm.state is 'Principal office: state; two-letter code in the US';
comment on column firm.country is 'Principal office: country';
comment on column firm.postal_code is 'Principal office: postal code';
comment on column firm.phone is 'Principal office: telephone number, as filed';
comment on column firm.fax is 'Principal office: facsimile number, as filed';
comment on column firm.other_office_count is 'Offices other than the principal one (1F(5))';
comment on column firm.mail_street_1 is 'Mailing address, where it differs: first line';
comment on column firm.mail_street_2 is 'Mailing address: second line';
comment on column firm.mail_city is 'Mailing address: city';
comment on column firm.mail_state is 'Mailing address: state';
comment on column firm.mail_country is 'Mailing address: country';
comment on column firm.mail_postal_code is 'Mailing address: postal code';
comment on column firm.website is 'First web address that is not a profile on a social network (1I)';
comment on column firm.website_domain is 'Registrable domain of that address';
comment on column firm.social_url is 'First profile address on a social network';
comment on column firm.website_count is 'Web addresses filed';
comment on column firm.organization_form is 'Form of organization (3A)';
comment on column firm.fiscal_year_end is 'Month in which the fiscal year ends (3B)';
comment on column firm.organized_state is 'State under whose laws it is organized (3C)';
comment on column firm.organized_country is 'Country under whose laws it is organized (3C)';
comment on column firm.public_reporting_company is 'Public reporting company under sections 12 or 15(d) of the Exchange Act (1N)';
comment on column firm.own_assets_over_1bn is 'Own assets of one billion US dollars or more (1O)';
comment on column firm.employee_count is 'Employees, full and part time, clerical workers aside (5A)';
comment on column firm.advisory_employee_count is 'Employees who perform investment advisory functions (5B(1))';
comment on column firm.broker_dealer_rep_count is 'Employees who are registered representatives of a broker-dealer (5B(2))';
comment on column firm.state_adviser_rep_count is 'Employees registered with a state as investment adviser representatives (5B(3))';
comment on column firm.client_without_assets_count is 'Clients served without regulatory assets under management (5C(1))';
comment on column firm.non_us_client_percent is 'Share of clients that are not US persons, in percent (5C(2))';
comment on column firm.aum_discretionary_usd is 'Discretionary regulatory assets under management (5F(2)(a)), in US dollars';
comment on column firm.aum_non_discretionary_usd is 'Non-discretionary regulatory assets under management (5F(2)(b)), in US dollars';
comment on column firm.aum_total_usd is 'Total regulatory assets under management (5F(2)(c)), in US dollars';
comment on column firm.aum_non_us_usd is 'Part of the assets attributable to clients who are not US persons (5F(3)), in US dollars';
comment on column firm.accounts_discretionary is 'Discretionary accounts (5F(2)(d))';
comment on column firm.accounts_non_discretionary is 'Non-discretionary accounts (5F(2)(e))';
comment on column firm.accounts_total is 'Accounts in all (5F(2)(f))';
comment on column firm.charges_percent_of_assets is 'Paid by a percentage of assets under management (5E(1))';
comment on column firm.charges_hourly is 'Paid by hourly charges (5E(2))';
comment on column firm.charges_subscription is 'Paid by subscription fees (5E(3))';
comment on column firm.charges_fixed is 'Paid by fixed fees (5E(4))';
comment on column firm.charges_commissions is 'Paid by commissions (5E(5))';
comment on column firm.charges_performance is 'Paid by performance-based fees (5E(6))';
comment on column firm.charges_other is 'Paid in another way (5E(7))';
comment on column firm.service_financial_planning is 'Financial planning services (5G(1))';
comment on column firm.service_portfolio_individuals is 'Portfolio management for individuals and small businesses (5G(2))';
comment on column firm.service_portfolio_companies is 'Portfolio management for investment companies (5G(3))';
comment on column firm.service_portfolio_pooled is 'Portfolio management for other pooled vehicles (5G(4))';
comment on column firm.service_portfolio_institutions is 'Portfolio management for businesses and institutions (5G(5))';
comment on column firm.service_pension_consulting is 'Pension consulting (5G(6))';
comment on column firm.service_adviser_selection is 'Selection of other advisers (5G(7))';
comment on column firm.service_periodicals is 'Publication of periodicals or newsletters (5G(8))';
comment on column firm.service_ratings is 'Security ratings or pricing (5G(9))';
comment on column firm.service_market_timing is 'Market timing (5G(10))';
comment on column firm.service_seminars is 'Educational seminars or workshops (5G(11))';
comment on column firm.service_other is 'Another advisory service (5G(12))';
comment on column firm.wrap_fee_program is 'Takes part in a wrap fee program (5I(1))';
comment on column firm.private_funds is 'Adviser to a private fund (7B)';
comment on column firm.private_fund_count is 'Private funds reported in section 7.B.(1)';
comment on column firm.private_fund_assets_usd is 'Gross assets of those private funds, in US dollars';
comment on column firm.custody_cash is 'Custody of clients'' cash or bank accounts (9A(1)(a))';
comment on column firm.custody_securities is 'Custody of clients'' securities (9A(1)(b))';
comment on column firm.disciplinary_history is 'Any disclosure of disciplinary history by the firm or an advisory affiliate (11)';
comment on column firm.items is 'Every other column of the roster that is about the firm, as filed, by its heading; blank cells are left out';
comment on column firm.as_of is 'Day of the roster since which these values are known';
comment on column firm.first_as_of is 'Day of the first roster that had the firm';
comment on column firm.gone_as_of is 'Day of the roster that no longer had the firm; null while it is there';
comment on column firm.gone_at is 'When that roster was imported';

-- A firm that is gone is in no reply and in no count, hence the partial indexes. Uniqueness of sec_number among the present ones is
-- kept by the import: a distributed database cannot hold a unique index without crd_number.
-- Null is smaller than every value, so that one index serves both directions.
create index firm_by_sec_number on firm (sec_number, crd_number) where gone_as_of is null;
create index firm_by_crd_number on firm (crd_number) where gone_as_of is null;
create index firm_by_legal_name on firm (legal_name nulls first, crd_number) where gone_as_of is null;
create index firm_by_business_name on firm (business_name nulls first, crd_number) where gone_as_of is null;
create index firm_by_aum_total_usd on firm (aum_total_usd nulls first, crd_number) where gone_as_of is null;
create index firm_by_employee_count on firm (employee_count nulls first, crd_number) where gone_as_of is null;
create index firm_by_latest_filing_date on firm (latest_filing_date nulls first, crd_number) where gone_as_of is null;
create index firm_by_region on firm (region, sec_number) where gone_as_of is null;
create index firm_by_state on firm (state, sec_number) where gone_as_of is null;
create index firm_by_website_domain on firm (website_domain) where gone_as_of is null;

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
  started_at timestamptz not null,
  finished_at timestamptz not null default now(),
  constraint firm_import_pkey primary key (id)
);
create index firm_import_by_sha256 on firm_import (sha256);

comment on table firm_import is 'Roster files that were taken in, each as a whole: a file that failed leaves no row.';
comment on column firm_import.id is 'The import';
comment on column firm_import.file is 'Name of the file, without its folder';
comment on column firm_import.sha256 is 'Digest of the roster itself, unpacked, in hexadecimal';
comment on column firm_import.layout is 'Layout that its heading was recognised as';
comment on column firm_import.encoding is 'utf-8 or windows-1252, found by reading the whole file';
comment on column firm_import.firm_types is 'Kinds of firm in it: registered, exempt';
comment on column firm_import.as_of is 'Day of the newest filing in it';
comment on column firm_import.rows is 'Rows read, heading aside';
comment on column firm_import.new is 'Firms seen for the first time';
comment on column firm_import.returned is 'Firms that had gone and are back';
comment on column firm_import.changed is 'Firms of which at least one column changed';
comment on column firm_import.unchanged is 'Firms that stayed as they were';
comment on column firm_import.gone is 'Firms that are no longer in the roster, and were marked so';
comment on column firm_import.gone_unconfirmed is 'Firms that are no longer in it, but were not marked gone, because the file may not be whole';
comment on column firm_import.quarantined is 'Rows that could not be taken in';
comment on column firm_import.started_at is 'When the import began to read';
comment on column firm_import.finished_at is 'When its transaction was';

create table firm_change (
  crd_number integer not null,
  as_of date not null,
  field text collate "C" not null,
  old_value jsonb,
  new_value jsonb,
  import_id uuid not null,
  constraint firm_change_pkey primary key (crd_number, field, as_of, import_id)
);
create index firm_change_by_as_of on firm_change (as_of, crd_number);

comment on table firm_change is 'What changed from one roster to the next, field by field: with the present values, every earlier state.';
comment on column firm_change.crd_number is 'The firm';
comment on column firm_change.as_of is 'Day of the roster that had the new value';
comment on column firm_change.field is 'A typed field''s name, the heading of another column, or gone: whether the firm had left';
comment on column firm_change.old_value is 'Value until then; null when there was none';
comment on column firm_change.new_value is 'Value since then; null when there is none';
comment on column firm_change.import_id is 'The import that found it';

create table firm_quarantine (
  import_id uuid not null,
  line integer not null,
  file text not null,
  reason text not null,
  row jsonb not null,
  constraint firm_quarantine_pkey primary key (import_id, line)
);

comment on table firm_quarantine is 'Rows of rosters that could not be taken in, with the reason. Personal columns are left out.';
comment on column firm_quarantine.import_id is 'The import that met the row';
comment on column firm_quarantine.line is 'Line of the file on which the row starts; in a feed, the number of the firm';
comment on column firm_quarantine.file is 'Name of the file';
comment on column firm_quarantine.reason is 'What is wrong with it';
comment on column firm_quarantine.row is 'The cells, by heading; those beyond the heading by their number';

create table firm_dataset (
  id boolean not null default true,
  version bigint not null,
  firms integer not null,
  as_of date,
  constraint firm_dataset_pkey primary key (id),
  constraint firm_dataset_has_one_row check (id)
);
insert into firm_dataset (version, firms) values (0, 0);

comment on table firm_dataset is 'One row: what the firm query answers from. Every count holds for one version.';
comment on column firm_dataset.id is 'Always true';
comment on column firm_dataset.version is 'Rises with every import that changed a firm';
comment on column firm_dataset.firms is 'Firms that are present';
comment on column firm_dataset.as_of is 'Day of the newest roster in store';

create table firm_rank (
  field text collate "C" not null,
  firms_below integer not null,
  sec_number text collate "C" not null,
  crd_number integer not null,
  constraint firm_rank_pkey primary key (field, firms_below)
);
create index firm_rank_by_sec_number on firm_rank (field, sec_number);
create index firm_rank_by_crd_number on firm_rank (field, crd_number);

comment on table firm_rank is 'Every few hundredth firm in the order of a unique field, with the number of firms below it: counts of a range without a scan.';
comment on column firm_rank.field is 'The field that orders them: sec_number or crd_number';
comment on column firm_rank.firms_below is 'Present firms with a smaller value';
comment on column firm_rank.sec_number is 'The firm''s SEC number';
comment on column firm_rank.crd_number is 'The firm''s CRD number';
