-- A run is a row, and the row is the lock: one running row a pipeline, kept alive by a heartbeat. No connection is held for it.
create table sync.run (
  id bigint generated always as identity,
  pipeline text not null,
  parent_id bigint,
  continues_id bigint,
  scheduled_for timestamptz,
  requested_by text not null,
  state text not null default 'running',
  outcome text,
  reasons text[] not null default '{}',
  error_code text,
  error_message text,
  holder jsonb not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  ended_at timestamptz,
  done bigint not null default 0,
  total bigint,
  inserted bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  gone bigint not null default 0,
  quarantined bigint not null default 0,
  requests bigint not null default 0,
  units bigint not null default 0,
  constraint run_pk primary key (id),
  constraint run_state_is_known check (state in ('running', 'completed', 'failed', 'interrupted', 'abandoned')),
  constraint run_outcome_is_known check (outcome in ('ok', 'degraded', 'failed')),
  constraint run_ends_once check ((state = 'running') = (ended_at is null)),
  constraint run_says_how_it_ended check (
    (state = 'completed' and outcome is not null and outcome in ('ok', 'degraded'))
    or (state = 'failed' and outcome is not null and outcome = 'failed')
    or (state in ('running', 'interrupted', 'abandoned') and outcome is null)
  )
);
create unique index run_only_one_running on sync.run (pipeline) where state = 'running';
-- Two schedulers never run one night twice; a run that died leaves its night to the next.
create unique index run_only_one_a_schedule on sync.run (pipeline, scheduled_for)
  where scheduled_for is not null and state in ('running', 'completed', 'failed');
create index run_by_pipeline on sync.run (pipeline, id);
create index run_by_parent on sync.run (parent_id) where parent_id is not null;

comment on table sync.run is 'One execution of one pipeline. The row with state running is the lock.';
comment on column sync.run.id is 'Number of the run';
comment on column sync.run.pipeline is 'Name of the pipeline, such as firms';
comment on column sync.run.parent_id is 'The run that this one is a step of';
comment on column sync.run.continues_id is 'The run before, when it did not end by itself and this one takes up its remaining work';
comment on column sync.run.scheduled_for is 'The moment of the schedule that this run serves; null when a person asked for it';
comment on column sync.run.requested_by is 'command, schedule or parent';
comment on column sync.run.state is 'running; completed; failed (an error ended it); interrupted (told to stop); abandoned (its process died)';
comment on column sync.run.outcome is 'ok; degraded (done, with reasons to look at it); failed. Null while it runs, and when it never ended by itself';
comment on column sync.run.reasons is 'Why the outcome is degraded, in sentences';
comment on column sync.run.error_code is 'Name of the error that ended it';
comment on column sync.run.error_message is 'What the error said';
comment on column sync.run.holder is 'The process that carries it out: host, pid and when that process started';
comment on column sync.run.started_at is 'When it was claimed';
comment on column sync.run.heartbeat_at is 'Last sign of life of its process';
comment on column sync.run.ended_at is 'When it ended, or was found dead';
comment on column sync.run.done is 'Progress, in the unit of the pipeline';
comment on column sync.run.total is 'What progress goes to, when known';
comment on column sync.run.inserted is 'Rows that were new';
comment on column sync.run.updated is 'Rows whose values changed, or that came back';
comment on column sync.run.unchanged is 'Rows that were as before, and were not written';
comment on column sync.run.gone is 'Rows marked as gone';
comment on column sync.run.quarantined is 'Rows set aside because they do not fit';
comment on column sync.run.requests is 'Requests sent to the service, retries included';
comment on column sync.run.units is 'Units charged for it, net of refunds';

create table sync.walk (
  id bigint generated always as identity,
  stream text not null,
  run_id bigint not null,
  key_order text not null default 'bytes',
  ceiling text collate "C",
  total_at_start bigint,
  field_set text,
  data_as_of date,
  incomplete_reasons text[] not null default '{}',
  keyless bigint not null default 0,
  ranges integer not null default 1,
  started_at timestamptz not null default now(),
  closed_at timestamptz,
  constraint walk_pk primary key (id),
  constraint walk_key_order_is_known check (key_order in ('bytes', 'foreign'))
);
create unique index walk_only_one_open on sync.walk (stream) where closed_at is null;

comment on table sync.walk is 'One keyset pull from its frozen ceiling to the end of the keys. It outlives a run that dies, and the next run goes on with it.';
comment on column sync.walk.id is 'Number of the walk';
comment on column sync.walk.stream is 'What is walked, such as firms';
comment on column sync.walk.run_id is 'The run that works on it, or did last';
comment on column sync.walk.key_order is 'bytes: the service orders keys by their bytes, so ranges may be split. foreign: it does not; one worker goes from page to page';
comment on column sync.walk.ceiling is 'The highest key when it began; what is above belongs to the next walk';
comment on column sync.walk.total_at_start is 'The total_count of the first page';
comment on column sync.walk.field_set is 'Which fields are asked for: fewer where the service does not know all; null until that is known';
comment on column sync.walk.data_as_of is 'Day of the newest data that the service spoke of';
comment on column sync.walk.incomplete_reasons is 'What was seen on the way that speaks against completeness';
comment on column sync.walk.keyless is 'Records without a usable key';
comment on column sync.walk.ranges is 'Ranges that it has had: the next one gets this number';
comment on column sync.walk.started_at is 'When it began';
comment on column sync.walk.closed_at is 'When all of its ranges were done';

-- The state of a pull is a set of ranges, never one cursor: several workers walk, and each page moves its own range.
create table sync.range_state (
  walk_id bigint not null,
  number integer not null,
  floor text collate "C",
  below text collate "C",
  revision integer not null default 0,
  closed boolean not null default false,
  pages integer not null default 0,
  inserted integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  quarantined integer not null default 0,
  constraint range_state_pk primary key (walk_id, number)
) with (fillfactor = 50);

comment on table sync.range_state is 'What is left of a walk: keys at or above floor and below below. Moves in the statement that writes the page.';
comment on column sync.range_state.walk_id is 'The walk';
comment on column sync.range_state.number is 'Number of the range within the walk';
comment on column sync.range_state.floor is 'Lowest key of the range, itself included; null: no floor';
comment on column sync.range_state.below is 'The next page holds keys below this one; null: from the top';
comment on column sync.range_state.revision is 'Counts up with each change. A page is committed only on the revision that it was read at';
comment on column sync.range_state.closed is 'Nothing is left of it';
comment on column sync.range_state.pages is 'Pages taken in by the run that works on it';
comment on column sync.range_state.inserted is 'Rows of those pages that were new';
comment on column sync.range_state.updated is 'Rows of those pages that changed';
comment on column sync.range_state.unchanged is 'Rows of those pages that were as before';
comment on column sync.range_state.quarantined is 'Rows of those pages that were set aside';

-- Unlogged: it costs no WAL. A crash of the database empties it, and then completeness is not proved: that errs on the safe side.
create unlogged table sync.walk_page (
  walk_id bigint not null,
  keys text[] collate "C" not null
);
create index walk_page_by_walk on sync.walk_page (walk_id);
comment on table sync.walk_page is 'The keys that a walk has seen, one row a page: the proof of completeness, and what shows who is gone';
comment on column sync.walk_page.walk_id is 'The walk';
comment on column sync.walk_page.keys is 'Keys of one page';

create table sync.watermark (
  pipeline text not null,
  subject text not null default '',
  value text not null,
  run_id bigint not null,
  moved_at timestamptz not null default now(),
  constraint watermark_pk primary key (pipeline, subject)
);
comment on table sync.watermark is 'For a feed: everything at or below it has been taken in';
comment on column sync.watermark.pipeline is 'The pipeline that keeps it';
comment on column sync.watermark.subject is 'What it is about, such as a domain; empty for the whole feed';
comment on column sync.watermark.value is 'The mark, in the form of the feed: an ISO timestamp with six digits, or a key';
comment on column sync.watermark.run_id is 'The run that moved it last';
comment on column sync.watermark.moved_at is 'When it was moved last';

create table sync.rate_budget (
  name text not null,
  next_at timestamptz not null,
  constraint rate_budget_pk primary key (name)
);
comment on table sync.rate_budget is 'One request rate for all processes that ask the same service';
comment on column sync.rate_budget.name is 'Whose rate it is: the address of the service';
comment on column sync.rate_budget.next_at is 'Virtual time: the first moment that nobody has taken yet';

create table warehouse.quarantine (
  entity text not null,
  fingerprint uuid not null,
  key text,
  reason text not null,
  record jsonb not null,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  resolved_at timestamptz,
  run_id bigint not null,
  constraint quarantine_pk primary key (entity, fingerprint)
);
comment on table warehouse.quarantine is 'Records from the service that do not fit, with the reason; the other records of their page went on';
comment on column warehouse.quarantine.entity is 'What it would have been: firm, company, person, ...';
comment on column warehouse.quarantine.fingerprint is 'Hash of the record: the same one again is one row';
comment on column warehouse.quarantine.key is 'Key of the record, as far as it has one';
comment on column warehouse.quarantine.reason is 'Why it does not fit';
comment on column warehouse.quarantine.record is 'The record as it came';
comment on column warehouse.quarantine.first_seen_at is 'When it first came';
comment on column warehouse.quarantine.last_seen_at is 'When it came last';
comment on column warehouse.quarantine.resolved_at is 'When a complete pull no longer held it; null while it is still there';
comment on column warehouse.quarantine.run_id is 'The run that saw it last';

create view warehouse.run_status as
select distinct on (run.pipeline)
  run.pipeline,
  run.state,
  run.outcome,
  run.reasons,
  run.error_message,
  run.id as run_id,
  run.started_at,
  run.ended_at,
  extract(epoch from coalesce(run.ended_at, now()) - run.started_at)::double precision as seconds,
  run.inserted, run.updated, run.unchanged, run.gone, run.quarantined, run.requests, run.units,
  good.ended_at as last_ok_at
from sync.run
left join lateral (
  select ok.ended_at from sync.run ok where ok.pipeline = run.pipeline and ok.outcome = 'ok' order by ok.id desc limit 1
) good on true
order by run.pipeline, run.id desc;
comment on view warehouse.run_status is 'The latest run of each pipeline, and when it last ended well: how far the warehouse can be trusted';
comment on column warehouse.run_status.pipeline is 'Name of the pipeline';
comment on column warehouse.run_status.state is 'running, completed, failed, interrupted or abandoned';
comment on column warehouse.run_status.outcome is 'ok, degraded or failed; null while it runs';
comment on column warehouse.run_status.reasons is 'Why the outcome is degraded';
comment on column warehouse.run_status.error_message is 'What ended it, when it failed';
comment on column warehouse.run_status.run_id is 'Number of the run';
comment on column warehouse.run_status.started_at is 'When it began';
comment on column warehouse.run_status.ended_at is 'When it ended';
comment on column warehouse.run_status.seconds is 'How long it took, or has taken so far';
comment on column warehouse.run_status.inserted is 'Rows that were new';
comment on column warehouse.run_status.updated is 'Rows that changed';
comment on column warehouse.run_status.unchanged is 'Rows that were as before';
comment on column warehouse.run_status.gone is 'Rows marked as gone';
comment on column warehouse.run_status.quarantined is 'Rows set aside';
comment on column warehouse.run_status.requests is 'Requests sent to the service';
comment on column warehouse.run_status.units is 'Units charged, net of refunds';
comment on column warehouse.run_status.last_ok_at is 'When this pipeline last ended with the outcome ok';
