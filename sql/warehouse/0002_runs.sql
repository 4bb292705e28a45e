-- A run's row is also the pipeline's lock: a pipeline has at most one row in the `running` state, and the run's process
-- renews the heartbeat in that row. The lock does not need an open connection.

create table sync.run (
  id bigint primary key generated always as identity,
  pipeline text not null,
  parent_id bigint,
  continues_id bigint,
  scheduled_for timestamptz,
  requested_by text not null,
  state text not null default 'running' check (state in ('running', 'completed', 'failed', 'interrupted', 'abandoned')),
  outcome text check (outcome in ('ok', 'degraded', 'failed')),
  reasons text[] not null default '{}',
  retryable boolean not null default false,
  error_code text,
  error_message text,
  stop_requested_at timestamptz,
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
  units numeric not null default 0,
  constraint run_ended_check check ((state = 'running') = (ended_at is null)),
  constraint run_state_outcome_check check (
    (state = 'completed' and outcome is not null and outcome in ('ok', 'degraded'))
    or (state = 'failed' and outcome is not null and outcome = 'failed')
    or (state in ('running', 'interrupted', 'abandoned') and outcome is null)
  )
);
create unique index run_running_key on sync.run (pipeline) where state = 'running';
-- Prevents two schedulers from starting the same scheduled run. After an interrupted or abandoned run, another run can
-- start for the same scheduled time.
create unique index run_scheduled_key on sync.run (pipeline, scheduled_for)
  where scheduled_for is not null and state in ('running', 'completed', 'failed');
create index run_by_pipeline on sync.run (pipeline, id);
create index run_by_parent on sync.run (parent_id) where parent_id is not null;
comment on table sync.run is 'Pipeline runs. A row in the `running` state is the pipeline''s lock';
comment on column sync.run.id is 'Run id';
comment on column sync.run.pipeline is 'Pipeline name, such as firms';
comment on column sync.run.parent_id is 'Parent run, if this run is one of its steps';
comment on column sync.run.continues_id is 'Interrupted, abandoned or failed run that this run resumes';
comment on column sync.run.scheduled_for is 'Scheduled time of the run. Null if a user started the run';
comment on column sync.run.requested_by is 'command, schedule, parent or console';
comment on column sync.run.state is 'running, completed, failed (with an error), interrupted (stopped on request) or abandoned (its process died)';
comment on column sync.run.outcome is 'ok, degraded (completed, but see reasons) or failed. Null if the state is running, interrupted or abandoned';
comment on column sync.run.reasons is 'Reasons the outcome is degraded or a nightly run is waiting';
comment on column sync.run.retryable is 'Whether a retry in the same nightly run can succeed without manual intervention';
comment on column sync.run.error_code is 'Code of the error that ended the run';
comment on column sync.run.error_message is 'Message of the error that ended the run';
comment on column sync.run.stop_requested_at is 'Time at which a user requested a stop. The run stops at its next heartbeat';
comment on column sync.run.holder is 'Process that executes the run, identified by host name, process ID, PID namespace and start time';
comment on column sync.run.started_at is 'Start of the run';
comment on column sync.run.heartbeat_at is 'Latest heartbeat of the run''s process';
comment on column sync.run.ended_at is 'End of the run, or time at which its process was found to be dead';
comment on column sync.run.done is 'Progress, in the pipeline''s unit, such as members or firms';
comment on column sync.run.total is 'Expected final value of done, if known';
comment on column sync.run.inserted is 'Rows inserted';
comment on column sync.run.updated is 'Rows that changed, or that returned after being marked as gone';
comment on column sync.run.unchanged is 'Rows compared and found unchanged';
comment on column sync.run.gone is 'Rows marked as gone';
comment on column sync.run.quarantined is 'Number of rejected records';
comment on column sync.run.requests is 'Requests sent to the service, including retries';
comment on column sync.run.units is 'Units charged, minus refunds';

create table sync.run_request (
  pipeline text primary key,
  requested_at timestamptz not null default now()
);
comment on table sync.run_request is 'Runs requested in the console that no scheduler has started yet';
comment on column sync.run_request.pipeline is 'Pipeline to start';
comment on column sync.run_request.requested_at is 'Time at which the run was requested';

create table sync.watermark (
  pipeline text not null,
  subject text not null default '',
  value text not null,
  run_id bigint not null,
  moved_at timestamptz not null default now(),
  primary key (pipeline, subject)
);
comment on table sync.watermark is 'Positions in feeds up to which all data has been ingested';
comment on column sync.watermark.pipeline is 'Pipeline';
comment on column sync.watermark.subject is 'Part of the feed, such as a domain. Empty for the whole feed';
comment on column sync.watermark.value is 'Position in the feed: an ISO timestamp with six decimal places, or a key';
comment on column sync.watermark.run_id is 'Run that last advanced the watermark';
comment on column sync.watermark.moved_at is 'Time at which the watermark was last advanced';

create table sync.rate_budget (
  name text primary key,
  next_at timestamptz not null
);
comment on table sync.rate_budget is 'Request rate limit shared by all processes that call the same service';
comment on column sync.rate_budget.name is 'URL of the service';
comment on column sync.rate_budget.next_at is 'First slot that is not reserved';

create table sync.analyst_login (
  id boolean primary key default true check (id),
  password text not null,
  set_at timestamptz not null default now()
);
comment on table sync.analyst_login is 'Password of the `talhouse_analyst` role, in a single row. Stored so that processes on every host can connect as this role';
comment on column sync.analyst_login.id is 'Always true';
comment on column sync.analyst_login.password is 'Password';
comment on column sync.analyst_login.set_at is 'Time at which the password was set';

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
  primary key (entity, fingerprint)
);
-- Used to resolve a record's earlier rejections when the record is accepted, and to delete rejected records of erased
-- people.
create index quarantine_by_record on warehouse.quarantine (split_part(key, ' / ', 1));
comment on table warehouse.quarantine is 'Rejected records from the service, with the rejection reason. The other records on the same page were ingested';
comment on column warehouse.quarantine.entity is 'Expected record type: firm, company, person, ...';
comment on column warehouse.quarantine.fingerprint is 'Hash of the record. An identical record updates the same row';
comment on column warehouse.quarantine.key is 'Key of the record. Null if the record has no key';
comment on column warehouse.quarantine.reason is 'Rejection reason';
comment on column warehouse.quarantine.record is 'Record as received';
comment on column warehouse.quarantine.first_seen_at is 'Time at which the record was first received';
comment on column warehouse.quarantine.last_seen_at is 'Time at which the record was last received';
comment on column warehouse.quarantine.resolved_at is 'Time at which the record was accepted, or was missing from a complete pull. Null while unresolved';
comment on column warehouse.quarantine.run_id is 'Run that last received the record';

create view warehouse.run_status as
select
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
  good.started_at as last_ok_started_at,
  good.ended_at as last_ok_at
from (select distinct on (pipeline) * from sync.run order by pipeline, id desc) run
left join lateral (
  select ok.started_at, ok.ended_at from sync.run ok where ok.pipeline = run.pipeline and ok.outcome = 'ok' order by ok.id desc limit 1
) good on true
order by run.pipeline;
comment on view warehouse.run_status is 'Latest run and latest successful run of each pipeline. Shows whether the warehouse is current and complete';
comment on column warehouse.run_status.pipeline is 'Pipeline name';
comment on column warehouse.run_status.state is 'running, completed, failed, interrupted or abandoned';
comment on column warehouse.run_status.outcome is 'ok, degraded or failed. Null if the state is running, interrupted or abandoned';
comment on column warehouse.run_status.reasons is 'Reasons for a degraded outcome';
comment on column warehouse.run_status.error_message is 'Error message, if the run failed';
comment on column warehouse.run_status.run_id is 'Run id';
comment on column warehouse.run_status.started_at is 'Start of the run';
comment on column warehouse.run_status.ended_at is 'End of the run';
comment on column warehouse.run_status.seconds is 'Duration in seconds. If the run is in progress, the duration so far';
comment on column warehouse.run_status.inserted is 'Rows inserted';
comment on column warehouse.run_status.updated is 'Rows changed';
comment on column warehouse.run_status.unchanged is 'Rows compared and found unchanged';
comment on column warehouse.run_status.gone is 'Rows marked as gone';
comment on column warehouse.run_status.quarantined is 'Rejected records';
comment on column warehouse.run_status.requests is 'Requests sent to the service';
comment on column warehouse.run_status.units is 'Units charged, minus refunds';
comment on column warehouse.run_status.last_ok_started_at is 'Start of the pipeline''s latest run with outcome ok';
comment on column warehouse.run_status.last_ok_at is 'End of the pipeline''s latest run with outcome ok';
