-- Changes to company and person fields, written in the same transaction as the change.

create table history_event (
  domain text collate "C" not null,
  id bigint generated always as identity,
  entity text not null check (entity in ('company', 'person')),
  person_id uuid,
  email_hash text,
  kind text not null check (kind in ('created', 'updated', 'removed')),
  field text not null,
  old_value jsonb,
  new_value jsonb,
  changed_at timestamptz not null,
  source text not null,
  task_id text,
  tx xid8 not null default pg_current_xact_id(),
  primary key (domain, id),
  constraint history_event_person_check check ((entity = 'person') = (person_id is not null)),
  constraint history_event_value_check check (old_value is distinct from new_value)
);
-- changed_at is unique within a record, because writers hold the record's lock and increment the latest value. A reader
-- that has ingested all events up to a given time therefore cannot have missed an earlier event.
create unique index history_event_by_company on history_event (domain, changed_at);
create index history_event_by_email_hash on history_event (email_hash, changed_at) where email_hash is not null;
create index history_event_by_person on history_event (domain, person_id, changed_at) where person_id is not null;
comment on table history_event is 'Changes to company and person fields. Append-only';
comment on column history_event.domain is 'Domain of the company, or of the person''s company';
comment on column history_event.id is 'Event id. Ids have gaps and are not in commit order';
comment on column history_event.entity is 'company or person';
comment on column history_event.person_id is 'Person. Null for a company';
comment on column history_event.email_hash is 'Same as person.email_hash. Null for a company, or if no address is known';
comment on column history_event.kind is 'created (first value of the field), updated (changed value) or removed (value no longer known)';
comment on column history_event.field is 'Changed field';
comment on column history_event.old_value is 'Previous value. Null if unknown';
comment on column history_event.new_value is 'New value. Null if the value is no longer known';
comment on column history_event.changed_at is 'Time of the change, to the microsecond. Within a record, times increase in commit order';
comment on column history_event.source is 'Provider of the winning observation';
comment on column history_event.task_id is 'Task that caused the change. Null for an import';
comment on column history_event.tx is 'Transaction that wrote the event. Reads that span several records sort by this column';
