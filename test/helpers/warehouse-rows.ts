/**
 * SQL that inserts an account with people, a signal and its adviser, an account that left the list, and a person at
 * another company.
 */
export const WAREHOUSE_ROWS = `
  insert into warehouse.tal_member (domain, attributes, run_id, row_hash, gone_at) values
    ('acme.example', '{"owner": "kim", "tier": "1"}', 1, '', null), ('left.example', null, 1, '', now());
  insert into warehouse.company (domain, name, run_id, row_hash) values ('acme.example', 'Acme', 1, '');
  insert into warehouse.person (company_domain, person_key, full_name, is_leader, run_id, row_hash) values
    ('acme.example', 'a', 'Ann Lee', true, 1, ''), ('acme.example', 'b', 'Bob Roe', false, 1, ''),
    ('other.example', 'c', 'Cy Poe', false, 1, '');
  insert into warehouse.signal (company_domain, signal_key, type, published_on, run_id, row_hash)
    values ('acme.example', 's', 'Funding', '2026-01-01', 1, '');
  insert into warehouse.firm (firm_id, sec_number, legal_name, firm_type, state, website_domain, aum_total_usd, valid_from, run_id, row_hash)
    values ('801-1', '801-1', 'ACME ADVISERS LLC', 'registered', 'NY', 'acme.example', 5000000000, now(), 1, md5('')::uuid);
`
