-- Clients, their API keys and their request rates. `client` and `api_key` are small and read by every process, so they
-- are reference tables on a distributed PostgreSQL server.

create table client (
  client_id text primary key check (client_id ~ '^[a-z0-9][a-z0-9_-]{0,62}$' and client_id <> 'me'),
  name text not null,
  plan text not null default 'standard',
  units_per_period integer not null default 10000 check (units_per_period >= 0),
  period interval not null default interval '1 month' check (period between interval '1 day' and interval '100 years'),
  overage_allowed boolean not null default false,
  reads_per_minute integer not null default 60000,
  submits_per_minute integer not null default 1200,
  trial_ends_at timestamptz,
  created_at timestamptz not null default now(),
  constraint client_rates_check check (reads_per_minute > 0 and submits_per_minute > 0)
);
comment on table client is 'Customers of the service, with their plan and limits. Every list, task and ledger entry belongs to a client';
comment on column client.client_id is 'UUID or readable name, used in API paths as {client_id}. Never `me`, which is an alias for the caller';
comment on column client.name is 'Display name';
comment on column client.plan is 'Plan name, as reported by GET /v2/usage';
comment on column client.units_per_period is 'Units granted at the start of each period';
comment on column client.period is 'Length of a billing period';
comment on column client.overage_allowed is 'Whether the balance may go below zero';
comment on column client.reads_per_minute is 'Maximum read requests per minute';
comment on column client.submits_per_minute is 'Maximum submit requests per minute';
comment on column client.trial_ends_at is 'End of the trial, after which requests are rejected with 403. Null if the client is not on trial';
comment on column client.created_at is 'Creation time, and start of the first period';

create table api_key (
  key_id uuid primary key default gen_random_uuid(),
  client_id text not null references client on delete cascade,
  label text not null default '',
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  last_four text not null,
  scopes text[] not null default '{read,contacts,enrich,lists,webhooks}'
    check (cardinality(scopes) > 0 and scopes <@ '{read,contacts,enrich,lists,webhooks,warehouse,admin,clients}'),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_key_by_client on api_key (client_id);
comment on table api_key is 'Clients'' API keys. A key is shown only once, when it is created, and only its hash is stored';
comment on column api_key.key_id is 'Identifier of the key in the CLI. Not secret';
comment on column api_key.client_id is 'Owner';
comment on column api_key.label is 'Purpose of the key, as described by its owner';
comment on column api_key.key_hash is 'SHA-256 of the key. Keys have 130 random bits, so no salt is needed';
comment on column api_key.last_four is 'Last four characters of the key, by which its owner can recognize it';
comment on column api_key.scopes is 'Permissions of the key: read, contacts (people''s contact data), enrich (spends units), lists, webhooks, warehouse (the console''s pipeline pages), admin (for operators) and clients (plans and units of all clients)';
comment on column api_key.expires_at is 'Expiry time. Null if the key does not expire';
comment on column api_key.created_at is 'Creation time';
comment on column api_key.last_used_at is 'Time of the latest successful authentication, accurate to one minute. Null if the key has never been used';
comment on column api_key.revoked_at is 'Revocation time. Takes effect within seconds. Null if the key is not revoked';

-- The table is unlogged, because a PostgreSQL crash loses only the counts of the current minute.
create unlogged table rate_window (
  client_id text not null,
  rate_class text not null check (rate_class in ('read', 'submit', 'invalid_key')),
  ends_at timestamptz not null,
  used integer not null,
  granted integer not null,
  primary key (client_id, rate_class)
) with (fillfactor = 50);
comment on table rate_window is 'Current one-minute rate window for each client and request class, and for each address that sent invalid keys. All server processes share these rows';
comment on column rate_window.client_id is 'Client id. For invalid keys, an IPv4 address or an IPv6 /64 network';
comment on column rate_window.rate_class is 'read, submit or invalid_key';
comment on column rate_window.ends_at is 'End of the window. The first request after this time starts a new window';
comment on column rate_window.used is 'Number of requests granted in this window';
comment on column rate_window.granted is 'Number of requests granted by the latest lease';
