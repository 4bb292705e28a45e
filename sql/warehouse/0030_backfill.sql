create table sync.verification (
  id bigint generated always as identity,
  dataset text not null,
  differences jsonb not null,
  requests integer not null,
  verified_at timestamptz not null default now(),
  repaired_at timestamptz,
  constraint verification_pk primary key (id),
  constraint verification_dataset_is_known check (dataset in ('firms', 'members', 'history'))
);
comment on table sync.verification is 'What a comparison of warehouse and service found: a repair fetches only that';
comment on column sync.verification.id is 'Number of the comparison';
comment on column sync.verification.dataset is 'firms, members or history';
comment on column sync.verification.differences is 'What differs: kind, key and fields';
comment on column sync.verification.requests is 'Requests that it took';
comment on column sync.verification.verified_at is 'When it was compared';
comment on column sync.verification.repaired_at is 'When a repair went through it; null: none has';

create table sync.backfill (
  id bigint generated always as identity,
  dataset text not null,
  from_at timestamptz,
  state text not null default 'planned',
  estimate_basis text not null,
  estimated_requests integer not null,
  estimated_units integer not null default 0,
  estimated_seconds double precision not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  constraint backfill_pk primary key (id),
  constraint backfill_dataset_is_known check (dataset in ('history', 'members', 'firms')),
  constraint backfill_state_is_known check (state in ('planned', 'running', 'paused', 'completed', 'failed'))
);
comment on table sync.backfill is 'A plan to fetch what the nights did not, kept with what it was expected to take and what it took';
comment on column sync.backfill.id is 'Number of the backfill';
comment on column sync.backfill.dataset is 'history, members or firms';
comment on column sync.backfill.from_at is 'History: changes after this moment';
comment on column sync.backfill.state is 'planned, running, paused, completed, or failed: parts of it failed, and can be tried again';
comment on column sync.backfill.estimate_basis is 'How the estimate came to be';
comment on column sync.backfill.estimated_requests is 'Requests expected';
comment on column sync.backfill.estimated_units is 'Units expected: reading costs none';
comment on column sync.backfill.estimated_seconds is 'Seconds expected';
comment on column sync.backfill.created_at is 'When it was planned';
comment on column sync.backfill.started_at is 'When it first ran';
comment on column sync.backfill.ended_at is 'When its last part was done';

create table sync.backfill_part (
  backfill_id bigint not null,
  number integer not null,
  members text[],
  floor text collate "C",
  below text collate "C",
  state text not null default 'pending',
  estimated_requests integer not null,
  requests integer,
  seconds double precision,
  inserted integer,
  updated integer,
  unchanged integer,
  error_message text,
  run_id bigint,
  ended_at timestamptz,
  constraint backfill_part_pk primary key (backfill_id, number),
  constraint backfill_part_state_is_known check (state in ('pending', 'done', 'failed'))
);
comment on table sync.backfill_part is 'What a backfill does in one step: done in one transaction with its data, so that a killed backfill goes on behind it';
comment on column sync.backfill_part.backfill_id is 'The backfill';
comment on column sync.backfill_part.number is 'Place in the order: the newest data first';
comment on column sync.backfill_part.members is 'The members, for history and members';
comment on column sync.backfill_part.floor is 'Firms: the lowest key, itself included; null: to the end';
comment on column sync.backfill_part.below is 'Firms: keys below this one; null: from the top';
comment on column sync.backfill_part.state is 'pending, done or failed';
comment on column sync.backfill_part.estimated_requests is 'Requests expected';
comment on column sync.backfill_part.requests is 'Requests it took';
comment on column sync.backfill_part.seconds is 'Seconds it took';
comment on column sync.backfill_part.inserted is 'Rows that were new';
comment on column sync.backfill_part.updated is 'Rows that changed';
comment on column sync.backfill_part.unchanged is 'Rows that were as before';
comment on column sync.backfill_part.error_message is 'Why it failed';
comment on column sync.backfill_part.run_id is 'The run that did it';
comment on column sync.backfill_part.ended_at is 'When it was done, or failed';
