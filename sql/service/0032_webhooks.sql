-- Notifications about ended tasks, by Standard Webhooks.

create table webhook_secret (
  client_id text not null,
  secret_id uuid not null default gen_random_uuid(),
  secret bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (client_id, secret_id),
  constraint secret_is_long_enough check (octet_length(secret) between 24 and 64)
);
create unique index one_current_secret on webhook_secret (client_id) where expires_at is null;
comment on table webhook_secret is 'What a client''s notifications are signed with. After a rotation the old one signs beside the new for a day.';
comment on column webhook_secret.client_id is 'Whose.';
comment on column webhook_secret.secret_id is 'Names the secret; not secret itself.';
comment on column webhook_secret.secret is 'The key of the HMAC. Must be readable to sign, so it cannot be hashed.';
comment on column webhook_secret.created_at is 'When it was made.';
comment on column webhook_secret.expires_at is 'Until when an old one still signs. Null: the current one.';

create table webhook_delivery (
  client_id text not null,
  delivery_id uuid not null,
  task_id uuid not null,
  url text not null,
  payload text not null,
  state text not null default 'pending',
  attempts integer not null default 0,
  next_attempt_at timestamptz default now(),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (client_id, delivery_id),
  constraint state_is_known check (state in ('pending', 'delivered', 'failed', 'disabled')),
  constraint only_a_pending_one_is_tried_again check ((state = 'pending') = (next_attempt_at is not null)),
  constraint ends_once check ((state = 'pending') = (ended_at is null))
);
create index webhook_delivery_newest on webhook_delivery (client_id, created_at desc, delivery_id);
create index webhook_delivery_of_task on webhook_delivery (client_id, task_id);
comment on table webhook_delivery is 'One notification, and what became of it.';
comment on column webhook_delivery.client_id is 'To whom.';
comment on column webhook_delivery.delivery_id is 'The webhook-id header: the same at every attempt.';
comment on column webhook_delivery.task_id is 'About which task.';
comment on column webhook_delivery.url is 'Where it goes.';
comment on column webhook_delivery.payload is 'The exact bytes that are signed and sent.';
comment on column webhook_delivery.state is 'pending, delivered, failed (every attempt), disabled (the receiver said 410).';
comment on column webhook_delivery.attempts is 'Attempts made since it was created or replayed.';
comment on column webhook_delivery.next_attempt_at is 'When it is tried next.';
comment on column webhook_delivery.created_at is 'When the task ended.';
comment on column webhook_delivery.ended_at is 'When it was delivered or given up.';

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
comment on table webhook_attempt is 'The delivery log: each request that was sent, or refused before it was sent.';
comment on column webhook_attempt.client_id is 'To whom.';
comment on column webhook_attempt.delivery_id is 'Which notification.';
comment on column webhook_attempt.attempt_id is 'Names the attempt.';
comment on column webhook_attempt.attempted_at is 'When.';
comment on column webhook_attempt.status is 'The HTTP status that came back. Null: none did.';
comment on column webhook_attempt.error is 'Why there was none, or why it is no success.';
comment on column webhook_attempt.milliseconds is 'How long it took.';

create table webhook_disabled_url (
  client_id text not null,
  url text not null,
  disabled_at timestamptz not null default now(),
  primary key (client_id, url)
);
comment on table webhook_disabled_url is 'Addresses that answered 410 Gone: nothing is sent there until a delivery is replayed.';
comment on column webhook_disabled_url.client_id is 'Whose address.';
comment on column webhook_disabled_url.url is 'The address.';
comment on column webhook_disabled_url.disabled_at is 'When it answered 410.';
