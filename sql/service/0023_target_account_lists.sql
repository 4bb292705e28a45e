-- Each client's list of companies.

create table tal_member (
  client_id text not null,
  domain text collate "C" not null,
  source text,
  added_at timestamptz not null default now(),
  primary key (client_id, domain)
);
comment on table tal_member is 'A company on a client''s target account list.';
comment on column tal_member.client_id is 'Whose list.';
comment on column tal_member.domain is 'The company; its row in company exists.';
comment on column tal_member.source is 'The tag given when it was added.';
comment on column tal_member.added_at is 'When it was added.';
