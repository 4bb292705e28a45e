-- Every changed field of a company or a person, written in the transaction that changed it.

create table history_event (
  domain text collate "C" not null,
  id bigint generated always as identity,
  entity text not null,
  person_id uuid,
  email_hash text,
  field text not null,
  old_value jsonb,
  new_value jsonb,
  changed_at timestamptz not null,
  source text not null,
  task_id text,
  tx xid8 not null default pg_current_xact_id(),
  primary key (domain, id),
  constraint entity_is_known check (entity in ('company', 'person')),
  constraint person_is_named check ((entity = 'person') = (person_id is not null)),
  constraint something_changed check (old_value is distinct from new_value)
);
-- No two events of one record share a moment: the writer holds the record's lock and counts on from its last event. So a
-- reader who has taken in everything up to a moment has missed nothing below it.
create unique index history_event_of_company on history_event (domain, changed_at);
create index history_event_of_address on history_event (email_hash, changed_at) where email_hash is not null;
create index history_event_of_person on history_event (domain, person_id, changed_at) where person_id is not null;
comment on table history_event is 'One field of one record changed. Append-only.';
comment on column history_event.domain is 'The company, or the company of the person.';
comment on column history_event.id is 'Names the event. Rises, with gaps, and not in the order of commits.';
comment on column history_event.entity is 'company or person.';
comment on column history_event.person_id is 'The person. Null for a company.';
comment on column history_event.email_hash is 'By which address the person is found in paths. Null where no address is known.';
comment on column history_event.field is 'The field that changed.';
comment on column history_event.old_value is 'Before. Null: nothing was known.';
comment on column history_event.new_value is 'After. Null: no longer known.';
comment on column history_event.changed_at is 'When, to the microsecond. Within one record it rises in the order of commits.';
comment on column history_event.source is 'The provider whose observation won.';
comment on column history_event.task_id is 'The task that brought it. Null: an import.';
comment on column history_event.tx is 'The transaction that wrote it: readers of all records together order by it.';
