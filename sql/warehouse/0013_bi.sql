create schema bi;
comment on schema bi is 'Flat views with readable column names for BI tools such as Metabase and Superset';

create view bi.adviser as
select
  firm_id as adviser_id, coalesce(business_name, legal_name) as adviser_name, legal_name, firm_type as adviser_type, crd_number, sec_number,
  city, state, country, website_domain as domain, employee_count as employees, aum_total_usd as assets_usd,
  aum_discretionary_usd as discretionary_assets_usd, accounts_total as client_accounts, private_fund_count as private_funds,
  disciplinary_history as has_disciplinary_history, latest_filing_date as latest_filing_on
from warehouse.firm
where gone_at is null;
comment on view bi.adviser is 'Current investment advisers, one row per firm';
comment on column bi.adviser.adviser_id is 'Key of the firm in warehouse.firm';
comment on column bi.adviser.adviser_name is 'Business name, or the legal name if none is filed';
comment on column bi.adviser.legal_name is 'Full legal name';
comment on column bi.adviser.adviser_type is 'registered, or exempt for an exempt reporting adviser';
comment on column bi.adviser.crd_number is 'Organization CRD number';
comment on column bi.adviser.sec_number is 'SEC file number';
comment on column bi.adviser.city is 'City of the principal office';
comment on column bi.adviser.state is 'State of the principal office';
comment on column bi.adviser.country is 'Country of the principal office';
comment on column bi.adviser.domain is 'Domain of the website';
comment on column bi.adviser.employees is 'Number of employees';
comment on column bi.adviser.assets_usd is 'Regulatory assets under management, in US dollars';
comment on column bi.adviser.discretionary_assets_usd is 'Discretionary assets under management, in US dollars';
comment on column bi.adviser.client_accounts is 'Number of client accounts';
comment on column bi.adviser.private_funds is 'Number of private funds';
comment on column bi.adviser.has_disciplinary_history is 'Whether the firm reports disciplinary events';
comment on column bi.adviser.latest_filing_on is 'Date of the latest Form ADV filing';

create view bi.account as
select
  member.domain, coalesce(company.name, member.domain) as account_name, member.source as list_source, member.attributes ->> 'owner' as owner,
  member.attributes ->> 'tier' as tier, member.attributes ->> 'segment' as segment, company.industry, company.employee_count as employees,
  company.headquarters_city as city, company.headquarters_state as state, company.headquarters_country as country, company.founded_year,
  adviser.adviser_id, adviser.assets_usd, people.contacts, people.leaders, news.signals, news.latest_signal_on,
  company.enriched_at, member.added_at
from warehouse.tal_member member
left join warehouse.company on company.domain = member.domain and company.gone_at is null
left join lateral (
  select adviser_id, assets_usd from bi.adviser where domain = member.domain order by assets_usd desc nulls last, adviser_id limit 1
) adviser on true
left join lateral (
  select count(*) as contacts, count(*) filter (where is_leader) as leaders from warehouse.person where company_domain = member.domain
) people on true
left join lateral (
  select count(*) as signals, max(published_on) as latest_signal_on from warehouse.signal where company_domain = member.domain
) news on true
where member.gone_at is null;
comment on view bi.account is 'Companies on the target account list, one row per company';
comment on column bi.account.domain is 'Domain of the company';
comment on column bi.account.account_name is 'Name of the company, or its domain if the name is unknown';
comment on column bi.account.list_source is 'Tag that the client assigned when it added the company';
comment on column bi.account.owner is 'Value of the `owner` list attribute';
comment on column bi.account.tier is 'Value of the `tier` list attribute';
comment on column bi.account.segment is 'Value of the `segment` list attribute';
comment on column bi.account.industry is 'Industry of the company';
comment on column bi.account.employees is 'Number of employees';
comment on column bi.account.city is 'City of the headquarters';
comment on column bi.account.state is 'State of the headquarters';
comment on column bi.account.country is 'Country of the headquarters';
comment on column bi.account.founded_year is 'Year in which the company was founded';
comment on column bi.account.adviser_id is 'Adviser whose website has the same domain; if there are several, the adviser with the most assets';
comment on column bi.account.assets_usd is 'Regulatory assets under management of the adviser, in US dollars';
comment on column bi.account.contacts is 'Number of known people';
comment on column bi.account.leaders is 'Number of people on the leadership team';
comment on column bi.account.signals is 'Number of news signals';
comment on column bi.account.latest_signal_on is 'Date of the latest signal';
comment on column bi.account.enriched_at is 'Time of the latest enrichment of the company';
comment on column bi.account.added_at is 'Time at which the company was added to the list';

create view bi.contact as
select
  account.domain, account.account_name, account.owner as account_owner, person.person_key as contact_key, person.full_name, person.title,
  person.seniority, person.department, person.email, person.email_status, person.phone, person.social_url as profile_url, person.is_leader,
  person.first_seen_at
from warehouse.person
join bi.account on account.domain = person.company_domain;
comment on view bi.contact is 'People at the companies on the target account list, one row per person and company';
comment on column bi.contact.domain is 'Domain of the company';
comment on column bi.contact.account_name is 'Name of the company';
comment on column bi.contact.account_owner is 'Value of the company''s `owner` list attribute';
comment on column bi.contact.contact_key is 'Key of the person within the company';
comment on column bi.contact.full_name is 'Name of the person';
comment on column bi.contact.title is 'Job title';
comment on column bi.contact.seniority is 'Seniority derived from the title';
comment on column bi.contact.department is 'Department derived from the title';
comment on column bi.contact.email is 'Email address';
comment on column bi.contact.email_status is 'published, derived (from the domain''s known address pattern) or guessed';
comment on column bi.contact.phone is 'Telephone number';
comment on column bi.contact.profile_url is 'Profile on a social network';
comment on column bi.contact.is_leader is 'Whether the person is on the leadership team';
comment on column bi.contact.first_seen_at is 'Time at which the warehouse first ingested the person';

create view bi.signal as
select
  account.domain, account.account_name, account.owner as account_owner, signal.signal_key, signal.type as signal_type, signal.headline,
  signal.published_on, signal.url, signal.source, signal.confidence
from warehouse.signal
join bi.account on account.domain = signal.company_domain;
comment on view bi.signal is 'News about the companies on the target account list, one row per story';
comment on column bi.signal.domain is 'Domain of the company';
comment on column bi.signal.account_name is 'Name of the company';
comment on column bi.signal.account_owner is 'Value of the company''s `owner` list attribute';
comment on column bi.signal.signal_key is 'Key of the story within the company';
comment on column bi.signal.signal_type is 'Kind of news, such as Funding or Leadership Change';
comment on column bi.signal.headline is 'Headline';
comment on column bi.signal.published_on is 'Date of publication';
comment on column bi.signal.url is 'URL of the story';
comment on column bi.signal.source is 'Publisher';
comment on column bi.signal.confidence is 'Probability that the kind and the company are correct, 0 to 1';
