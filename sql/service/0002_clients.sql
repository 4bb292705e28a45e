-- Who may call, what it costs them, and how fast. `client` and `api_key` are small and read by every process: on a
-- distributed PostgreSQL they are reference tables, so a key is found by its hash alone.

create table client (
  client_id text primary key,
  name text not null,
  plan text not null default 'standard',
  units_per_period integer not null default 10000,
  period interval not null default interval '1 month',
  overage_allowed boolean not null default false,
  reads_per_minute integer not null default 60000,
  submits_per_minute integer not null default 1200,
  trial_ends_at timestamptz,
  created_at timestamptz not null default now(),
  constraint client_id_is_readable check (client_id ~ '^[a-z0-9][a-z0-9_-]{0,62}$' and client_id <> 'me'),
  constraint units_are_not_negative check (units_per_period >= 0),
  constraint period_is_at_least_a_day check (period >= interval '1 day'),
  constraint rates_are_positive check (reads_per_minute > 0 and submits_per_minute > 0)
);
comment on table client is 'A customer of the service: its plan and its limits. Lists, tasks and units belong to one.';
comment on column client.client_id is 'A uuid or a readable name, in paths as {client_id}; never `me`, which is the caller''s alias.';
comment on column client.name is 'For people.';
comment on column client.plan is 'The name of the plan, as GET /v2/usage reports it.';
comment on column client.units_per_period is 'Units granted at the start of each period.';
comment on column client.period is 'Length of a period, pluralize from created_at.';
comment on column client.overage_allowed is 'May the balance go below zero?';
comment on column client.reads_per_minute is 'Requests of the class `read` accepted in a minute.';
comment on column client.submits_per_minute is 'Requests of the class `submit` accepted in a minute.';
comment on column client.trial_ends_at is 'From then on every call is refused with 403. Null: not a trial.';
comment on column client.created_at is 'When the client was made; the first period starts here.';

create table api_key (
  key_id uuid primary key default gen_random_uuid(),
  client_id text not null references client on delete cascade,
  label text not null default '',
  key_hash bytea not null,
  last_four text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint api_key_is_unique unique (key_hash),
  constraint api_key_is_stored_as_sha256 check (octet_length(key_hash) = 32)
);
create index api_key_by_client on api_key (client_id);
comment on table api_key is 'Keys of clients. The key itself is shown once and never stored.';
comment on column api_key.key_id is 'Names the key in the CLI; not secret.';
comment on column api_key.client_id is 'Whose key it is.';
comment on column api_key.label is 'What the key is for, in the owner''s words.';
comment on column api_key.key_hash is 'SHA-256 of the whole key. It is random (131 bits), so it needs no salt.';
comment on column api_key.last_four is 'The last four characters, to recognise it by.';
comment on column api_key.created_at is 'When it was made.';
comment on column api_key.last_used_at is 'When it last opened the door, to the minute. Null: never.';
comment on column api_key.revoked_at is 'From then on it is refused (within seconds). Null: it works.';
