-- Console sessions. A session inherits the scopes of its API key and ends when the key is revoked or expires.

create table session (
  session_id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  key_id uuid not null references api_key on delete cascade,
  address text,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index session_by_key on session (key_id);
comment on table session is 'Console sessions in browsers, each bound to an API key';
comment on column session.session_id is 'Session id';
comment on column session.token_hash is 'SHA-256 of the session cookie. The cookie is not stored';
comment on column session.key_id is 'API key that determines the session''s client and scopes';
comment on column session.address is 'IP address from which the user signed in';
comment on column session.user_agent is 'User-Agent header of the sign-in request, truncated to 300 characters';
comment on column session.created_at is 'Time at which the user signed in';
comment on column session.last_seen_at is 'Time of the latest request, accurate to one minute';
comment on column session.expires_at is 'Time at which the session ends';

create table sign_in_link (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  key_id uuid not null references api_key on delete cascade,
  expires_at timestamptz not null
);
comment on table sign_in_link is 'Unused one-time links to the console. Using a link deletes its row';
comment on column sign_in_link.token_hash is 'SHA-256 of the secret in the link';
comment on column sign_in_link.key_id is 'API key that will determine the session''s client and scopes';
comment on column sign_in_link.expires_at is 'Expiry time of the link';
