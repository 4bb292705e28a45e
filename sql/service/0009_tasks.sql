-- Asynchronous work. A task is one charged request, and its items are the companies or people in the request. The job
-- queue (schema pgboss) has one job per item.

create table task (
  client_id text not null,
  task_id uuid not null,
  task_type text not null check (task_type in (
    'enrich_company', 'enrich_company_with_leadership', 'enrich_company_with_signals',
    'enrich_company_with_leadership_and_signals', 'enrich_person', 'enrich_batch', 'leadership_search',
    'signal_discovery', 'tal_enrich')),
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed')),
  input jsonb not null,
  callback_url text,
  units_charged integer not null,
  units_refunded integer not null default 0,
  units_to_refund integer not null default 0,
  items_total integer not null,
  items_done integer not null default 0,
  items_failed integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  completed_at timestamptz,
  primary key (client_id, task_id),
  constraint task_completed_at_check check ((state in ('completed', 'failed')) = (completed_at is not null)),
  constraint task_items_done_check check ((state in ('completed', 'failed')) = (items_done = items_total)),
  constraint task_items_failed_check check (items_failed between 0 and items_done),
  constraint task_units_refunded_check check (units_refunded between 0 and units_charged)
);
create index task_by_created_at on task (client_id, created_at desc, task_id);
create index task_by_state on task (client_id, state, created_at desc, task_id);
comment on table task is 'Accepted enrichment requests. Clients read tasks from /v2/tasks';
comment on column task.client_id is 'Client';
comment on column task.task_id is 'Identifier in API paths';
comment on column task.task_type is 'Type of the request';
comment on column task.state is 'queued, running, completed or failed. A running task is queued again if its items are released for a retry';
comment on column task.input is 'Request body as submitted';
comment on column task.callback_url is 'URL that receives a webhook when the task ends';
comment on column task.units_charged is 'Units charged at submission';
comment on column task.units_refunded is 'Units refunded when the task ended, for items that failed or found no data';
comment on column task.units_to_refund is 'Units to refund for items that have ended so far. Refunded when the last item ends';
comment on column task.items_total is 'Number of items';
comment on column task.items_done is 'Number of items that have ended';
comment on column task.items_failed is 'Number of items that failed. A task fails if all of its items fail';
comment on column task.created_at is 'Time at which the request was accepted';
comment on column task.started_at is 'Time at which the first item started';
comment on column task.completed_at is 'Time at which the last item ended';

create table task_item (
  client_id text not null,
  task_id uuid not null,
  item integer not null,
  entity text not null check (entity in ('company', 'person')),
  groups text[] not null,
  domain text,
  input jsonb not null default '{}',
  cost integer not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed')),
  attempt integer not null default 0,
  failures integer not null default 0,
  outcome text check (outcome in ('complete', 'partial', 'fresh', 'not_found', 'failed')),
  reason text,
  output jsonb,
  progress double precision not null default 0 check (progress >= 0 and progress < 1),
  started_at timestamptz,
  ended_at timestamptz,
  primary key (client_id, task_id, item),
  foreign key (client_id, task_id) references task on delete cascade,
  constraint task_item_domain_check check (entity = 'person' or domain is not null),
  constraint task_item_ended_check check (
    (state in ('completed', 'failed')) = (outcome is not null and ended_at is not null)),
  constraint task_item_failed_check check ((state = 'failed') = coalesce(outcome = 'failed', false))
);
-- The index condition uses ended_at instead of state. Without statistics, the planner used an index on state to look up
-- single items, and each lookup read all of the client's unfinished items. An index on state would also prevent
-- heap-only updates when an item starts.
create index task_item_unfinished on task_item (client_id, domain) where ended_at is null;
comment on table task_item is 'Companies and people in a task, with their state, outcome and output';
comment on column task_item.client_id is 'Client';
comment on column task_item.task_id is 'Task';
comment on column task_item.item is 'Number of the item within the task, starting at 1';
comment on column task_item.entity is 'company or person';
comment on column task_item.groups is 'Requested field groups: company, leadership, signals';
comment on column task_item.domain is 'Domain of the company, or of the person''s company if known';
comment on column task_item.input is 'Identifiers of the person, or limits for a search of people or news';
comment on column task_item.cost is 'This item''s share of the task''s charge. Refunded if the item fails or finds no data';
comment on column task_item.state is 'queued, running, completed or failed';
comment on column task_item.attempt is 'Number of the current attempt. Only the current attempt can end the item';
comment on column task_item.failures is 'Number of attempts in which the sources were unavailable. Attempts by lost workers are not counted';
comment on column task_item.outcome is 'complete, partial, fresh (the data is fresh, or no source could be queried), not_found or failed';
comment on column task_item.reason is 'Explanation of an outcome other than complete';
comment on column task_item.output is 'This item''s part of the task''s output_data';
comment on column task_item.progress is 'Highest share of sources that responded in any attempt. Used only until the item ends';
comment on column task_item.started_at is 'Start of the current attempt';
comment on column task_item.ended_at is 'End of the item';
