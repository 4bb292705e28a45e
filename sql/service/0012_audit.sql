-- Audit log with one row per change made through the API or the command line, written in the same transaction as the
-- change.

create table audit_entry (
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
create index audit_entry_by_time on audit_entry (at);
comment on table audit_entry is 'Append-only audit log of changes made through the API or the command line';
comment on column audit_entry.entry_id is 'Entry id, which defines the order of entries';
comment on column audit_entry.at is 'Time of the entry';
comment on column audit_entry.actor is 'client:ID for an API key, or user:NAME for the operating system user who ran a command';
comment on column audit_entry.key_id is 'API key. Null for changes made on the command line';
comment on column audit_entry.address is 'IP address of the request, or name of the host on which the command ran';
comment on column audit_entry.action is 'Action, such as list.add, key.revoke or units.grant';
comment on column audit_entry.target is 'Target of the action. Persons are identified only by keyed hashes';
comment on column audit_entry.result is 'ok, or the error code of a rejected change';
comment on column audit_entry.details is 'Counts and settings that describe the change, without personal data';

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('talhouse.pruning_audit', true) = 'on' then return old; end if;
  raise exception 'audit_entry is append-only' using errcode = 'restrict_violation';
end
$$;
comment on function refuse_audit_change() is 'Rejects updates and deletions in the audit log, except deletions by prune_audit';
create trigger audit_entry_append_only before update or delete on audit_entry
  for each row execute function refuse_audit_change();
create trigger audit_entry_no_truncate before truncate on audit_entry
  for each statement execute function refuse_audit_change();

create table audit_retention (
  id boolean primary key default true check (id),
  days integer not null default 730 check (days >= 30)
);
insert into audit_retention default values;
comment on table audit_retention is 'Retention of the audit log, in a single row. The owner copies the retention from the `audit.retention_days` setting. The runtime role can only read this table';
comment on column audit_retention.id is 'Always true';
comment on column audit_retention.days is 'Age in days at which entries may be deleted';

-- The runtime role can insert and read entries but cannot delete them or change the retention. The role prunes entries
-- through this function, which runs with the owner's permissions.
create function prune_audit() returns bigint language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  pruned bigint;
begin
  perform set_config('talhouse.pruning_audit', 'on', true);
  delete from audit_entry where at < now() - (select make_interval(days => days) from audit_retention);
  get diagnostics pruned = row_count;
  perform set_config('talhouse.pruning_audit', '', true);
  return pruned;
end
$$;
comment on function prune_audit() is 'Deletes audit entries older than audit_retention, and returns the count';
