-- Firms from the SEC's Form ADV rosters and feed. A firm's CRD number is permanent, but its SEC number may change.
-- `src/contract/firm-fields.ts` describes the typed fields, from sec_number to disciplinary_history.

-- Trigram indexes for substring and typo-tolerant searches by name.
create extension if not exists pg_trgm;

create table firm (
  sec_number text collate "C" not null,
  crd_number integer primary key check (crd_number > 0),
  legal_name text collate "C",
  business_name text collate "C",
  firm_type text collate "C" not null check (firm_type in ('registered', 'exempt')),
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
  former_names text[],
  as_of date not null,
  first_as_of date not null,
  first_import_id uuid,
  gone_as_of date,
  gone_at timestamptz,
  constraint firm_gone_check check ((gone_as_of is null) = (gone_at is null))
);
comment on table firm is 'Investment advisers that file Form ADV, one row per firm, including firms that left the roster';
comment on column firm.items is 'Roster values for which this table has no column, as filed, keyed by column heading. Blank cells are omitted';
comment on column firm.former_names is 'Earlier legal and business names, oldest first. Null if there are none';
comment on column firm.as_of is 'Date of the roster that introduced the current values';
comment on column firm.first_as_of is 'Date of the first roster that listed the firm';
comment on column firm.first_import_id is 'Import of the first roster that listed the firm';
comment on column firm.gone_as_of is 'Date of the first roster without the firm. Null while the firm is listed';
comment on column firm.gone_at is 'Time at which the first roster without the firm was imported';

-- The indexes are partial, because queries never return firms that left the roster. The import keeps sec_number unique
-- among current firms, because on a distributed database a unique index must include crd_number. Nulls sort as the
-- smallest value, so one index serves both sort directions.
create index firm_by_sec_number on firm (sec_number, crd_number) where gone_as_of is null;
create index firm_by_crd_number on firm (crd_number) where gone_as_of is null;
create index firm_by_legal_name on firm (legal_name nulls first, crd_number) where gone_as_of is null;
create index firm_by_business_name on firm (business_name nulls first, crd_number) where gone_as_of is null;
-- The index includes the columns of firm_summary, so that index-only scans can summarize firms by assets.
create index firm_by_aum_total_usd on firm (aum_total_usd nulls first, crd_number) include (state, region, firm_type) where gone_as_of is null;
create index firm_by_employee_count on firm (employee_count nulls first, crd_number) where gone_as_of is null;
create index firm_by_latest_filing_date on firm (latest_filing_date nulls first, crd_number) where gone_as_of is null;
create index firm_by_region on firm (region, sec_number) where gone_as_of is null;
create index firm_by_state on firm (state, sec_number) where gone_as_of is null;
create index firm_by_website_domain on firm (website_domain) where gone_as_of is null;
create index firm_by_legal_name_text on firm using gin (legal_name gin_trgm_ops) where gone_as_of is null;
create index firm_by_business_name_text on firm using gin (business_name gin_trgm_ops) where gone_as_of is null;

create table firm_import (
  id uuid primary key default gen_random_uuid(),
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
  finished_at timestamptz not null default now()
);
create index firm_import_by_sha256 on firm_import (sha256);
comment on table firm_import is 'Imported roster files. A failed import has no row';
comment on column firm_import.id is 'Import id';
comment on column firm_import.file is 'File name, without its folder';
comment on column firm_import.sha256 is 'SHA-256 of the uncompressed roster, in hexadecimal';
comment on column firm_import.layout is 'Layout of the file, identified from its header row';
comment on column firm_import.encoding is 'utf-8 or windows-1252, detected from the whole file';
comment on column firm_import.firm_types is 'Firm types in the file: registered, exempt';
comment on column firm_import.as_of is 'Date of the newest filing in the file';
comment on column firm_import.rows is 'Number of rows read, excluding the header';
comment on column firm_import.new is 'Number of firms listed for the first time';
comment on column firm_import.returned is 'Number of firms that had left the roster and are listed again';
comment on column firm_import.changed is 'Number of firms with at least one changed column';
comment on column firm_import.unchanged is 'Number of unchanged firms';
comment on column firm_import.gone is 'Number of firms that are no longer listed and were marked as gone';
comment on column firm_import.gone_unconfirmed is 'Number of firms that are no longer listed but were not marked as gone, because the file may be incomplete';
comment on column firm_import.quarantined is 'Rejected rows';
comment on column firm_import.started_at is 'Start of the import';
comment on column firm_import.finished_at is 'Time at which the import was applied';

create table firm_change (
  crd_number integer not null,
  as_of date not null,
  field text collate "C" not null,
  old_value jsonb,
  new_value jsonb,
  import_id uuid not null,
  primary key (crd_number, field, as_of, import_id)
);
create index firm_change_by_as_of on firm_change (as_of, crd_number);
comment on table firm_change is 'Field changes between rosters or filings. Together with the current values, these changes determine every earlier state';
comment on column firm_change.crd_number is 'Firm';
comment on column firm_change.as_of is 'Date of the roster or filing that contains the new value';
comment on column firm_change.field is 'Name of a typed field, heading of another roster column, schedule_a_officers (natural persons on Schedule A), or gone (whether the firm has left the roster)';
comment on column firm_change.old_value is 'Previous value; null if there was none';
comment on column firm_change.new_value is 'New value; null if there is none';
comment on column firm_change.import_id is 'Import that detected the change';

create table firm_quarantine (
  import_id uuid not null,
  line integer not null,
  file text not null,
  reason text not null,
  row jsonb not null,
  primary key (import_id, line)
);
comment on table firm_quarantine is 'Rejected roster rows with the rejection reason. Columns with personal data are omitted';
comment on column firm_quarantine.import_id is 'Import';
comment on column firm_quarantine.line is 'Number of the line on which the row starts in the file, or position of the firm in a feed';
comment on column firm_quarantine.file is 'File name';
comment on column firm_quarantine.reason is 'Rejection reason';
comment on column firm_quarantine.row is 'Cells, keyed by column heading. Cells beyond the last heading are keyed by position';

create table firm_dataset (
  id boolean primary key default true check (id),
  version bigint not null,
  firms integer not null,
  as_of date
);
insert into firm_dataset (version, firms) values (0, 0);
comment on table firm_dataset is 'State of the firm data, in a single row. A count of firms is valid only for the version for which it was computed';
comment on column firm_dataset.id is 'Always true';
comment on column firm_dataset.version is 'Incremented by every import that changes a firm';
comment on column firm_dataset.firms is 'Number of current firms';
comment on column firm_dataset.as_of is 'Date of the newest imported roster';

create table firm_rank (
  field text collate "C" not null,
  firms_below integer not null,
  sec_number text collate "C" not null,
  crd_number integer not null,
  primary key (field, firms_below)
);
create index firm_rank_by_sec_number on firm_rank (field, sec_number);
create index firm_rank_by_crd_number on firm_rank (field, crd_number);
comment on table firm_rank is 'Rank of every 256th firm in the sort order of a unique field. These ranks allow a range to be counted without scanning it';
comment on column firm_rank.field is 'Field that defines the sort order: sec_number or crd_number';
comment on column firm_rank.firms_below is 'Number of current firms with a smaller value';
comment on column firm_rank.sec_number is 'SEC number of the firm';
comment on column firm_rank.crd_number is 'CRD number of the firm';

create table firm_summary (
  state text collate "C",
  region text collate "C",
  firm_type text collate "C" not null,
  size_class integer,
  firms integer not null,
  aum_total_usd numeric not null
);
comment on table firm_summary is 'Number and total assets of current firms by state, region, type and size, rebuilt by every import. Queries for counts and sums by these fields read this table instead of `firm`';
comment on column firm_summary.state is 'State of the main office. Null if not filed';
comment on column firm_summary.region is 'Region code of the SEC office. Null if not filed';
comment on column firm_summary.firm_type is 'registered or exempt';
comment on column firm_summary.size_class is 'Number of the asset size class. Null if assets were not filed';
comment on column firm_summary.firms is 'Number of firms';
comment on column firm_summary.aum_total_usd is 'Sum of the firms'' assets under management in US dollars';

create table firm_schedule_filing (
  crd_number integer primary key,
  filing_id bigint not null,
  submitted_at timestamp not null,
  file text not null
);
comment on table firm_schedule_filing is 'Latest imported ownership filing of each firm';
comment on column firm_schedule_filing.crd_number is 'Firm';
comment on column firm_schedule_filing.filing_id is 'FilingID in the SEC''s files';
comment on column firm_schedule_filing.submitted_at is 'Submission time, in the filing system''s local time zone';
comment on column firm_schedule_filing.file is 'Name of the imported zip file';

create table firm_owner (
  crd_number integer not null,
  position integer not null,
  schedule text not null check (schedule in ('A', 'B')),
  full_legal_name text not null,
  owner_type text not null check (owner_type in ('I', 'DE', 'FE')),
  entity_in_which text,
  title text,
  status_acquired text,
  ownership_code text,
  control_person boolean,
  public_reporting boolean,
  owner_id text,
  primary key (crd_number, position)
);
comment on table firm_owner is 'Direct owners and executive officers (Schedule A) and indirect owners (Schedule B) of firms, as filed';
comment on column firm_owner.crd_number is 'Firm';
comment on column firm_owner.position is 'Position of the owner in the filing, starting at 1';
comment on column firm_owner.schedule is 'A: direct owners and executive officers; B: indirect owners';
comment on column firm_owner.full_legal_name is 'Name as filed: LAST, FIRST, MIDDLE for a natural person';
comment on column firm_owner.owner_type is 'I: natural person; DE: domestic entity; FE: foreign entity';
comment on column firm_owner.entity_in_which is 'On Schedule B, the entity in which the owner holds an interest';
comment on column firm_owner.title is 'Title or status, as filed';
comment on column firm_owner.status_acquired is 'Month in which the title or status was acquired, as filed';
comment on column firm_owner.ownership_code is 'Code for the ownership percentage. Schedule A: NA (less than 5), A (5-10), B (10-25), C (25-50), D (50-75) or E (75 or more). Schedule B: C, D, E, or F (another interest)';
comment on column firm_owner.control_person is 'Whether the owner controls the firm';
comment on column firm_owner.public_reporting is 'Whether the owner is a public reporting company';
comment on column firm_owner.owner_id is 'The owner''s CRD number or other identifier, as filed';
