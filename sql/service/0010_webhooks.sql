-- Webhooks for finished tasks, as defined by the Standard Webhooks specification.

create table webhook_secret (
  client_id text not null,
  secret_id uuid not null default gen_random_uuid(),
  secret bytea not null,
  is_sealed boolean not null default false,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (client_id, secret_id),
  constraint webhook_secret_length_check check (octet_length(secret) between 24 and 64)
);
create unique index webhook_secret_current_key on webhook_secret (client_id) where expires_at is null;
comment on table webhook_secret is 'Signing secrets. For one day after a rotation, webhooks are signed with both the old and the new secret';
comment on column webhook_secret.client_id is 'Client';
comment on column webhook_secret.secret_id is 'Identifier of the secret. Not confidential';
comment on column webhook_secret.secret is 'HMAC key in plain text. If is_sealed: nonce (12 bytes), tag (16 bytes) and AES-256-GCM ciphertext, bound to the client id';
comment on column webhook_secret.is_sealed is 'Whether the secret is encrypted with a key from TALHOUSE_WEBHOOK_KEYS';
comment on column webhook_secret.created_at is 'Creation time';
comment on column webhook_secret.expires_at is 'Time at which a rotated secret stops signing webhooks. Null for the current secret';

create table webhook_delivery (
  client_id text not null,
  delivery_id uuid not null,
  task_id uuid not null,
  url text not null,
  payload text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'disabled')),
  attempts integer not null default 0,
  next_attempt_at timestamptz default now(),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (client_id, delivery_id),
  constraint webhook_delivery_next_attempt_check check ((state = 'pending') = (next_attempt_at is not null)),
  constraint webhook_delivery_ended_check check ((state = 'pending') = (ended_at is null))
);
create index webhook_delivery_by_created_at on webhook_delivery (client_id, created_at desc, delivery_id);
create index webhook_delivery_by_task on webhook_delivery (client_id, task_id);
comment on table webhook_delivery is 'Webhooks with their delivery state';
comment on column webhook_delivery.client_id is 'Client';
comment on column webhook_delivery.delivery_id is 'Value of the webhook-id header, which is the same in all attempts';
comment on column webhook_delivery.task_id is 'Task that the webhook reports on';
comment on column webhook_delivery.url is 'Destination';
comment on column webhook_delivery.payload is 'Request body, exactly as signed and sent';
comment on column webhook_delivery.state is 'pending, delivered, failed (all attempts used) or disabled (the destination returned 410)';
comment on column webhook_delivery.attempts is 'Number of attempts since the delivery was created or replayed';
comment on column webhook_delivery.next_attempt_at is 'Time of the next attempt';
comment on column webhook_delivery.created_at is 'Time at which the task ended';
comment on column webhook_delivery.ended_at is 'Time of the last attempt. Null while the delivery is pending';

create table webhook_attempt (
  client_id text not null,
  delivery_id uuid not null,
  attempt_id uuid not null default gen_random_uuid(),
  attempted_at timestamptz not null default now(),
  status integer,
  error text,
  milliseconds integer not null,
  primary key (client_id, delivery_id, attempt_id),
  foreign key (client_id, delivery_id) references webhook_delivery on delete cascade
);
comment on table webhook_attempt is 'Delivery log: all attempts, including requests that were rejected before they were sent';
comment on column webhook_attempt.client_id is 'Client';
comment on column webhook_attempt.delivery_id is 'Delivery';
comment on column webhook_attempt.attempt_id is 'Attempt id';
comment on column webhook_attempt.attempted_at is 'Time of the attempt';
comment on column webhook_attempt.status is 'HTTP status of the response. Null if there was none';
comment on column webhook_attempt.error is 'Reason the attempt failed';
comment on column webhook_attempt.milliseconds is 'Duration of the attempt';

create table webhook_disabled_url (
  client_id text not null,
  url text not null,
  disabled_at timestamptz not null default now(),
  primary key (client_id, url)
);
comment on table webhook_disabled_url is 'URLs that returned 410 Gone. No webhooks are sent to these URLs until a delivery is replayed';
comment on column webhook_disabled_url.client_id is 'Client';
comment on column webhook_disabled_url.url is 'Destination';
comment on column webhook_disabled_url.disabled_at is 'Time of the 410 response';
