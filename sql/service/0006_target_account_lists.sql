create table tal_member (
  client_id text not null,
  domain text collate "C" not null,
  source text,
  attributes jsonb not null default '{}' check (jsonb_typeof(attributes) = 'object'),
  attribute_order jsonb not null default '[]' check (jsonb_typeof(attribute_order) = 'array'),
  added_at timestamptz not null default now(),
  name text,
  employee_count integer,
  enrichment_status text not null default 'none',
  enriched_at timestamptz,
  history_at timestamptz,
  search_text text not null default '',
  primary key (client_id, domain)
);
comment on table tal_member is 'Companies on clients'' target account lists. The columns from name to search_text copy the company fields used to filter and sort lists, if the client may see the company. Triggers keep these columns current';
comment on column tal_member.client_id is 'Owner of the list';
comment on column tal_member.domain is 'Domain of the company. The domain is in `company` only if the company was enriched or is linked to a Form ADV firm';
comment on column tal_member.source is 'Tag that the client assigned when it added the company';
comment on column tal_member.attributes is 'The client''s custom columns, such as owner or tier: text values, keyed by name';
comment on column tal_member.attribute_order is 'Attribute names in import order, which `attributes` does not preserve. Updated only when a value changes';
comment on column tal_member.added_at is 'Time at which the company was added';
comment on column tal_member.name is 'Copy of company.name';
comment on column tal_member.employee_count is 'Copy of company.employee_count';
comment on column tal_member.enrichment_status is 'Copy of company.enrichment_status; none if the client may not see the company';
comment on column tal_member.enriched_at is 'Copy of company.enriched_at';
comment on column tal_member.history_at is 'Copy of company.history_at';
comment on column tal_member.search_text is 'Copy of company.search_text; the domain if the client may not see the company';

create index tal_member_by_domain on tal_member (domain);
create index tal_member_by_text on tal_member using gin (search_text gin_trgm_ops);
create index tal_member_by_status on tal_member (client_id, enrichment_status, domain);
create index tal_member_by_added_at on tal_member (client_id, added_at, domain);
create index tal_member_by_enriched_at on tal_member (client_id, enriched_at, domain);
create index tal_member_by_history_at on tal_member (client_id, history_at, domain);
create index tal_member_by_employee_count on tal_member (client_id, employee_count, domain);
-- PostgreSQL limits an index entry to about 2,700 bytes.
create index tal_member_by_name on tal_member (client_id, left(name, 200), domain);

create function listed_company(viewing_client text, listed_domain text)
returns table (name text, employee_count integer, enrichment_status text, enriched_at timestamptz, history_at timestamptz, search_text text)
language sql stable as $$
  select company.name, company.employee_count, coalesce(company.enrichment_status, 'none'), company.enriched_at, company.history_at,
    coalesce(company.search_text, listed_domain)
  from (select) as entry
  left join company on company.domain = listed_domain and (company.is_public or exists (
    select from company_viewer viewer where viewer.client_id = viewing_client and viewer.domain = listed_domain))
$$;
comment on function listed_company(text, text) is 'The fields that a list entry copies from the company with the given domain, if the client may see the company';

create function copy_companies_to_lists(changed text[]) returns bigint language plpgsql as $$
declare
  written bigint;
begin
  with seen as materialized (
    select member.client_id, member.domain, company.*
    from tal_member member cross join lateral listed_company(member.client_id, member.domain) as company
    where member.domain = any(changed)
      and (member.name, member.employee_count, member.enrichment_status, member.enriched_at, member.history_at, member.search_text)
        is distinct from (company.name, company.employee_count, company.enrichment_status, company.enriched_at, company.history_at, company.search_text)
    -- Entries that another transaction is changing are skipped; the hourly maintenance updates them. Waiting for these
    -- entries could deadlock, because a transaction can write companies in several statements.
    for update of member skip locked
  )
  update tal_member member
  set name = seen.name, employee_count = seen.employee_count, enrichment_status = seen.enrichment_status,
    enriched_at = seen.enriched_at, history_at = seen.history_at, search_text = seen.search_text
  from seen
  where member.client_id = seen.client_id and member.domain = seen.domain;
  get diagnostics written = row_count;
  return written;
end
$$;
comment on function copy_companies_to_lists(text[]) is 'Copies the fields of the companies with these domains to their list entries, and returns the number of changed entries';

create function copy_written_companies() returns trigger language plpgsql as $$
begin
  perform copy_companies_to_lists(array(select domain from written));
  return null;
end
$$;
comment on function copy_written_companies() is 'Updates list entries after a change to a company''s fields or visibility';
create trigger company_inserted after insert on company referencing new table as written
  for each statement execute function copy_written_companies();
create trigger company_updated after update on company referencing new table as written
  for each statement execute function copy_written_companies();
create trigger company_viewer_inserted after insert on company_viewer referencing new table as written
  for each statement execute function copy_written_companies();

create function fill_list_entry() returns trigger language plpgsql as $$
begin
  select * into new.name, new.employee_count, new.enrichment_status, new.enriched_at, new.history_at, new.search_text
  from listed_company(new.client_id, new.domain);
  return new;
end
$$;
comment on function fill_list_entry() is 'Copies the company''s fields to a new list entry';
create trigger tal_member_inserted before insert on tal_member
  for each row execute function fill_list_entry();

create table tal_size (
  client_id text not null,
  id bigint generated always as identity,
  members bigint not null,
  primary key (client_id, id)
);
comment on table tal_size is 'Changes to the number of companies on each list. The sum of a client''s rows is the current number. Each statement that changes a list inserts a row, so that writers do not block each other';
comment on column tal_size.client_id is 'Owner of the list';
comment on column tal_size.id is 'Row id';
comment on column tal_size.members is 'Change in the number of companies';

create function count_list_entries() returns trigger language plpgsql as $$
begin
  insert into tal_size (client_id, members)
  select client_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by client_id;
  -- About one change in a hundred replaces the rows with their sum.
  if random() < 0.01 then
    with gone as (
      delete from tal_size where (client_id, id) in (
        select client_id, id from tal_size where client_id in (select client_id from changed) for update skip locked)
      returning client_id, members
    )
    insert into tal_size (client_id, members) select client_id, sum(members) from gone group by client_id;
  end if;
  return null;
end
$$;
comment on function count_list_entries() is 'Counts the companies that a statement adds to or removes from lists';
create trigger tal_member_added after insert on tal_member referencing new table as changed
  for each statement execute function count_list_entries();
create trigger tal_member_removed after delete on tal_member referencing old table as changed
  for each statement execute function count_list_entries();
