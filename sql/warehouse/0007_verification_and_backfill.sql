create table sync.verification (
  id bigint primary key generated always as identity,
  dataset text not null check (dataset in ('firms', 'members', 'history')),
  differences jsonb not null,
  requests integer not null,
  verified_at timestamptz not null default now(),
  repaired_at timestamptz
);
comment on table sync.verification is 'Comparisons of the warehouse with the service. A repair fetches only the differences of the latest one';
comment on column sync.verification.id is 'Verification id';
comment on column sync.verification.dataset is 'firms, members or history';
comment on column sync.verification.differences is 'Differences: kind, key and fields';
comment on column sync.verification.requests is 'Requests sent';
comment on column sync.verification.verified_at is 'When the comparison ended';
comment on column sync.verification.repaired_at is 'When it was repaired; null if it was not';

create table sync.backfill (
  id bigint primary key generated always as identity,
  dataset text not null check (dataset in ('history', 'members', 'firms')),
  from_at timestamptz,
  state text not null default 'planned' check (state in ('planned', 'running', 'paused', 'completed', 'failed')),
  estimate_basis text not null,
  estimated_requests integer not null,
  estimated_units integer not null default 0,
  estimated_seconds double precision not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz
);
comment on table sync.backfill is 'Backfills of data that nightly runs missed, with estimated and actual cost';
comment on column sync.backfill.id is 'Backfill id';
comment on column sync.backfill.dataset is 'history, members or firms';
comment on column sync.backfill.from_at is 'For history: changes after this time';
comment on column sync.backfill.state is 'planned, running, paused, completed, or failed (some parts failed and can be retried)';
comment on column sync.backfill.estimate_basis is 'How the estimate was made';
comment on column sync.backfill.estimated_requests is 'Expected requests';
comment on column sync.backfill.estimated_units is 'Expected units; reads cost none';
comment on column sync.backfill.estimated_seconds is 'Expected duration';
comment on column sync.backfill.created_at is 'When it was planned';
comment on column sync.backfill.started_at is 'When it first ran';
comment on column sync.backfill.ended_at is 'When its last part was done';

create table sync.backfill_part (
  backfill_id bigint not null,
  number integer not null,
  members text[],
  floor text collate "C",
  below text collate "C",
  state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
  estimated_requests integer not null,
  requests integer,
  seconds double precision,
  lost_requests integer not null default 0,
  lost_seconds double precision not null default 0,
  inserted integer,
  updated integer,
  unchanged integer,
  error_message text,
  run_id bigint,
  ended_at timestamptz,
  primary key (backfill_id, number)
);
comment on table sync.backfill_part is 'Steps of a backfill. A part is marked as done in the transaction of its data, so an interrupted backfill resumes after it';
comment on column sync.backfill_part.backfill_id is 'Backfill';
comment on column sync.backfill_part.number is 'Position in the order: newest data first';
comment on column sync.backfill_part.members is 'Members, for history and members';
comment on column sync.backfill_part.floor is 'Firms: lowest key, inclusive; null if unbounded';
comment on column sync.backfill_part.below is 'Firms: upper bound, exclusive; null if unbounded';
comment on column sync.backfill_part.state is 'pending, done or failed';
comment on column sync.backfill_part.estimated_requests is 'Expected requests';
comment on column sync.backfill_part.requests is 'Requests of the latest attempt, so far if in progress';
comment on column sync.backfill_part.seconds is 'Duration of the latest attempt, so far if in progress';
comment on column sync.backfill_part.lost_requests is 'Requests of earlier attempts that were interrupted or failed';
comment on column sync.backfill_part.lost_seconds is 'Duration of earlier attempts that were interrupted or failed';
comment on column sync.backfill_part.inserted is 'Rows inserted';
comment on column sync.backfill_part.updated is 'Rows changed';
comment on column sync.backfill_part.unchanged is 'Rows compared and left unwritten';
comment on column sync.backfill_part.error_message is 'Why it failed';
comment on column sync.backfill_part.run_id is 'Run that processed it';
comment on column sync.backfill_part.ended_at is 'When it was done, or failed';
