create table tal_member (
  client_id text not null,
  domain text collate "C" not null,
  source text,
  added_at timestamptz not null default now(),
  primary key (client_id, domain)
);
comment on table tal_member is 'Companies on the clients'' target account lists';
comment on column tal_member.client_id is 'Owner of the list';
comment on column tal_member.domain is 'Company. It has a row in company only if it was enriched or is named by Form ADV';
comment on column tal_member.source is 'Tag given when the company was added';
comment on column tal_member.added_at is 'When the company was added';
