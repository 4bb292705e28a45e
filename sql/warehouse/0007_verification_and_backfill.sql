create table sync.verification (
  id bigint primary key generated always as identity,
  dataset text not null check (dataset in ('firms', 'members', 'history')),
  differences jsonb not null,
  requests integer not null,
  verified_at timestamptz not null default now(),
  repaired_at timestamptz
);
comment on table sync.verification is 'Comparisons of the warehouse with the service. A repair fetches only the records that differed in the latest comparison';
comment on column sync.verification.id is 'Verification id';
comment on column sync.verification.dataset is 'firms, members or history';
comment on column sync.verification.differences is 'Differences, each with kind, key and fields';
comment on column sync.verification.requests is 'Requests sent';
comment on column sync.verification.verified_at is 'Time at which the comparison ended';
comment on column sync.verification.repaired_at is 'Time of the repair. Null if the differences have not been repaired';

create table sync.check_result (
  name text primary key,
  failures integer not null,
  examples jsonb not null,
  error text,
  seconds double precision not null,
  checked_at timestamptz not null default now()
);
comment on table sync.check_result is 'Latest result of each warehouse check, stored because checks read entire tables';
comment on column sync.check_result.name is 'Name of the check';
comment on column sync.check_result.failures is 'Number of rows that violate the invariant';
comment on column sync.check_result.examples is 'At most three violating rows';
comment on column sync.check_result.error is 'Error from the check''s query. Null if the query succeeded';
comment on column sync.check_result.seconds is 'Duration of the check in seconds';
comment on column sync.check_result.checked_at is 'Time at which the check ended';

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
comment on column sync.backfill.from_at is 'For history: start of the period whose changes are fetched';
comment on column sync.backfill.state is 'planned, running, paused, completed or failed (some parts failed and can be retried)';
comment on column sync.backfill.estimate_basis is 'Basis of the estimate';
comment on column sync.backfill.estimated_requests is 'Expected requests';
comment on column sync.backfill.estimated_units is 'Expected units. Always 0, because reads are free';
comment on column sync.backfill.estimated_seconds is 'Expected duration in seconds';
comment on column sync.backfill.created_at is 'Time at which the backfill was planned';
comment on column sync.backfill.started_at is 'Time of the first run';
comment on column sync.backfill.ended_at is 'Time at which the last part finished';

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
comment on table sync.backfill_part is 'Parts of a backfill. An interrupted backfill resumes at the first unfinished part';
comment on column sync.backfill_part.backfill_id is 'Backfill';
comment on column sync.backfill_part.number is 'Position in the order of execution, newest data first';
comment on column sync.backfill_part.members is 'For history and members: the members of this part';
comment on column sync.backfill_part.floor is 'For firms: lowest key, inclusive. Null if unbounded';
comment on column sync.backfill_part.below is 'For firms: upper bound, exclusive. Null if unbounded';
comment on column sync.backfill_part.state is 'pending, done or failed';
comment on column sync.backfill_part.estimated_requests is 'Expected requests';
comment on column sync.backfill_part.requests is 'Number of requests in the latest attempt, which may be in progress';
comment on column sync.backfill_part.seconds is 'Duration in seconds of the latest attempt, which may be in progress';
comment on column sync.backfill_part.lost_requests is 'Number of requests in earlier attempts that were interrupted or failed';
comment on column sync.backfill_part.lost_seconds is 'Duration in seconds of earlier attempts that were interrupted or failed';
comment on column sync.backfill_part.inserted is 'Rows inserted';
comment on column sync.backfill_part.updated is 'Rows changed';
comment on column sync.backfill_part.unchanged is 'Rows compared and found unchanged';
comment on column sync.backfill_part.error_message is 'Reason the part failed';
comment on column sync.backfill_part.run_id is 'Run that processed the part';
comment on column sync.backfill_part.ended_at is 'Time at which the part ended';
