create table tal_member (
  client_id text not null,
  domain text collate "C" not null,
  source text,
  attributes jsonb not null default '{}' check (jsonb_typeof(attributes) = 'object'),
  added_at timestamptz not null default now(),
  primary key (client_id, domain)
);
comment on table tal_member is 'Companies on clients'' target account lists';
comment on column tal_member.client_id is 'Owner of the list';
comment on column tal_member.domain is 'Domain of the company. The table company contains it only if the company was enriched or is linked to a Form ADV firm';
comment on column tal_member.source is 'Tag that the client gave when it added the company';
comment on column tal_member.attributes is 'The client''s custom columns, such as owner or tier: text values, keyed by name';
comment on column tal_member.added_at is 'Time at which the company was added';
