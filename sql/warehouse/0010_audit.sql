-- Audit log with one row per change made to the warehouse from the command line, written before the change. The service
-- keeps a separate log in its own database, which may be inaccessible from this host.

create table sync.audit_entry (
  entry_id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  key_id uuid,
  address text,
  action text not null,
  target text not null,
  result text not null default 'ok',
  details jsonb not null default '{}'
);
create index audit_entry_by_time on sync.audit_entry (at);
comment on table sync.audit_entry is 'Append-only audit log of changes made to the warehouse from the command line';
comment on column sync.audit_entry.entry_id is 'Entry id, which defines the order of entries';
comment on column sync.audit_entry.at is 'Time of the entry';
comment on column sync.audit_entry.actor is 'user:NAME, for the operating system user who ran the command';
comment on column sync.audit_entry.key_id is 'Always null. Present for consistency with the service''s audit log';
comment on column sync.audit_entry.address is 'Name of the host on which the command ran';
comment on column sync.audit_entry.action is 'Action, such as run.start or snapshot.expire';
comment on column sync.audit_entry.target is 'Target of the action: a pipeline, backfill, snapshot or role';
comment on column sync.audit_entry.result is 'started, or the error code of a rejected change. The outcome of a run is in sync.run';
comment on column sync.audit_entry.details is 'Counts and settings that describe the change, without personal data';

create function sync.refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('talhouse.pruning_audit', true) = 'on' then return old; end if;
  raise exception 'audit_entry is append-only' using errcode = 'restrict_violation';
end
$$;
comment on function sync.refuse_audit_change() is 'Rejects updates and deletions in the audit log, except deletions by prune_audit';
create trigger audit_entry_append_only before update or delete on sync.audit_entry
  for each row execute function sync.refuse_audit_change();
create trigger audit_entry_no_truncate before truncate on sync.audit_entry
  for each statement execute function sync.refuse_audit_change();

create table sync.audit_retention (
  id boolean primary key default true check (id),
  days integer not null default 730 check (days >= 30)
);
insert into sync.audit_retention default values;
comment on table sync.audit_retention is 'Retention of the audit log, in a single row. The owner copies the retention from the `audit.retention_days` setting. The runtime role can only read this table';
comment on column sync.audit_retention.id is 'Always true';
comment on column sync.audit_retention.days is 'Age in days at which entries may be deleted';

-- The runtime role can insert and read entries but cannot delete them or change the retention. The role prunes entries
-- through this function, which runs with the owner's permissions.
create function sync.prune_audit() returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  pruned bigint;
begin
  perform set_config('talhouse.pruning_audit', 'on', true);
  delete from sync.audit_entry where at < now() - (select make_interval(days => days) from sync.audit_retention);
  get diagnostics pruned = row_count;
  perform set_config('talhouse.pruning_audit', '', true);
  return pruned;
end
$$;
comment on function sync.prune_audit() is 'Deletes audit entries older than sync.audit_retention, and returns the count';
