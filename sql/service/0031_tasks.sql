-- Asynchronous work. A task is what was asked for and charged; its items are the companies and persons it is about. The queue
-- (schema pgboss) holds one job an item.

create table task (
  client_id text not null,
  task_id uuid not null,
  task_type text not null,
  state text not null default 'queued',
  input jsonb not null,
  callback_url text,
  units_charged integer not null,
  units_refunded integer not null default 0,
  items_total integer not null,
  items_done integer not null default 0,
  items_failed integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  completed_at timestamptz,
  primary key (client_id, task_id),
  constraint state_is_known check (state in ('queued', 'running', 'completed', 'failed')),
  constraint type_is_known check (task_type in (
    'enrich_company', 'enrich_company_with_leadership', 'enrich_company_with_signals',
    'enrich_company_with_leadership_and_signals', 'enrich_person', 'enrich_batch', 'leadership_search',
    'signal_discovery', 'tal_enrich')),
  constraint completed_only_at_the_end check ((state in ('completed', 'failed')) = (completed_at is not null)),
  constraint ends_when_every_item_is_done check ((state in ('completed', 'failed')) = (items_done = items_total)),
  constraint failed_items_are_done check (items_failed between 0 and items_done),
  constraint refunds_within_the_charge check (units_refunded between 0 and units_charged)
);
create index task_newest on task (client_id, created_at desc, task_id);
create index task_newest_of_state on task (client_id, state, created_at desc, task_id);
comment on table task is 'One accepted request for enrichment, visible at /v2/tasks.';
comment on column task.client_id is 'Whose task.';
comment on column task.task_id is 'The identifier in paths.';
comment on column task.task_type is 'What was asked for.';
comment on column task.state is 'queued -> running -> completed | failed; running -> queued when its work is given back.';
comment on column task.input is 'The request as submitted.';
comment on column task.callback_url is 'Receives a notification at the end.';
comment on column task.units_charged is 'Units taken at submission.';
comment on column task.units_refunded is 'Units given back at the end, for what failed or found nothing.';
comment on column task.items_total is 'Items it consists of.';
comment on column task.items_done is 'Items that have ended; progress is their share.';
comment on column task.items_failed is 'Items of them that failed: a task whose every item failed has failed.';
comment on column task.created_at is 'When it was accepted.';
comment on column task.started_at is 'When its first item was first begun.';
comment on column task.completed_at is 'When its last item ended.';

create table task_item (
  client_id text not null,
  task_id uuid not null,
  item integer not null,
  entity text not null,
  groups text[] not null,
  domain text,
  input jsonb not null default '{}',
  cost integer not null,
  state text not null default 'queued',
  attempt integer not null default 0,
  outcome text,
  reason text,
  output jsonb,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (client_id, task_id, item),
  foreign key (client_id, task_id) references task on delete cascade,
  constraint entity_is_known check (entity in ('company', 'person')),
  constraint a_company_has_a_domain check (entity = 'person' or domain is not null),
  constraint state_is_known check (state in ('queued', 'running', 'completed', 'failed')),
  constraint outcome_is_known check (outcome in ('complete', 'partial', 'fresh', 'not_found', 'failed')),
  constraint an_ended_item_has_an_outcome check (
    (state in ('completed', 'failed')) = (outcome is not null and ended_at is not null)),
  constraint failed_is_the_outcome_of_failed check ((state = 'failed') = coalesce(outcome = 'failed', false))
);
create index task_item_unfinished on task_item (client_id, domain) where state in ('queued', 'running');
comment on table task_item is 'One company or person of a task: its state, how it ended, and what it gives to the task''s result.';
comment on column task_item.client_id is 'Whose task.';
comment on column task_item.task_id is 'Of which task.';
comment on column task_item.item is 'Its number within the task, from 1.';
comment on column task_item.entity is 'company or person.';
comment on column task_item.groups is 'What is looked for: company, leadership, signals.';
comment on column task_item.domain is 'The company; for a person the company''s domain where it is known.';
comment on column task_item.input is 'The person''s identifiers, or the limits of a search.';
comment on column task_item.cost is 'Its share of the charge, given back when nothing is found.';
comment on column task_item.state is 'As the task''s.';
comment on column task_item.attempt is 'Counts the attempts. Only the newest may end the item.';
comment on column task_item.outcome is 'complete, partial, fresh (nothing to do), not_found or failed.';
comment on column task_item.reason is 'Why, in words, where it is not complete.';
comment on column task_item.output is 'Its part of output_data.';
comment on column task_item.started_at is 'When its newest attempt began.';
comment on column task_item.ended_at is 'When it ended.';
