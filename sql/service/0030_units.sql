-- What enrichment costs. The ledger is the truth; the account is its running sum, kept in the same transaction.

create table unit_account (
  client_id text primary key,
  balance bigint not null,
  granted bigint not null default 0,
  used_this_period bigint not null default 0,
  overage_allowed boolean not null default false,
  period_started_at timestamptz not null,
  period_ends_at timestamptz not null,
  constraint balance_is_below_zero_only_with_overage check (balance >= 0 or overage_allowed),
  constraint granted_is_not_negative check (granted >= 0),
  constraint period_ends_after_it_starts check (period_ends_at > period_started_at)
);
comment on table unit_account is 'One row a client, opened at its first touch: the sum of its ledger, and the period it is in.';
comment on column unit_account.client_id is 'Whose units.';
comment on column unit_account.balance is 'The sum of the client''s ledger entries.';
comment on column unit_account.granted is 'Of the balance, what was granted beside the plan: used after the plan''s units, and carried into the next period.';
comment on column unit_account.used_this_period is 'Charges less their refunds, of this period''s charges.';
comment on column unit_account.overage_allowed is 'May this balance be below zero? Follows the client''s plan at each charge; a balance that is below stays allowed until it is above.';
comment on column unit_account.period_started_at is 'Start of the current period.';
comment on column unit_account.period_ends_at is 'End of the current period. The first touch after it starts the next.';

create table ledger_entry (
  client_id text not null,
  entry_id bigint generated always as identity,
  kind text not null,
  units bigint not null,
  balance_after bigint not null,
  task_id uuid,
  item integer not null default 0,
  period_started_at timestamptz not null,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (client_id, entry_id),
  constraint one_charge_a_task_and_one_refund_an_item unique (client_id, task_id, kind, item),
  constraint kind_is_known check (kind in ('charge', 'refund', 'grant', 'period_start')),
  constraint charges_take_and_refunds_give check (
    case kind when 'charge' then units < 0 when 'refund' then units > 0 when 'grant' then units <> 0 else true end
  ),
  constraint charges_and_refunds_name_their_task check ((kind in ('charge', 'refund')) = (task_id is not null))
);
create unique index one_start_a_period on ledger_entry (client_id, period_started_at) where kind = 'period_start';
comment on table ledger_entry is 'Every movement of units, signed. Append-only: a correction is a new entry.';
comment on column ledger_entry.client_id is 'Whose units.';
comment on column ledger_entry.entry_id is 'Rises with time within a client; not dense.';
comment on column ledger_entry.kind is 'charge (a task), refund (one item of it), grant (by an operator), period_start (the plan''s units come, the unused ones lapse).';
comment on column ledger_entry.units is 'Signed: what the balance moved by.';
comment on column ledger_entry.balance_after is 'The balance with this entry: the sum of all entries up to it.';
comment on column ledger_entry.task_id is 'The task that was charged or refunded.';
comment on column ledger_entry.item is 'The item of the task that was refunded; 0 for the task as a whole.';
comment on column ledger_entry.period_started_at is 'The period it counts in: a refund counts in the period of its charge.';
comment on column ledger_entry.reason is 'Why, in words.';
comment on column ledger_entry.created_at is 'When it was written.';

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger_entry is append-only: write a new entry instead' using errcode = 'restrict_violation';
end
$$;
comment on function refuse_ledger_change() is 'The ledger is never rewritten, whoever asks.';
create trigger ledger_is_append_only before update or delete on ledger_entry for each row execute function refuse_ledger_change();
create trigger ledger_is_never_emptied before truncate on ledger_entry for each statement execute function refuse_ledger_change();

create table idempotent_reply (
  client_id text not null,
  key text not null,
  request_hash bytea not null,
  reply json,
  created_at timestamptz not null default now(),
  primary key (client_id, key),
  constraint key_is_short check (length(key) between 1 and 255)
);
create index idempotent_reply_by_age on idempotent_reply (created_at);
comment on table idempotent_reply is 'The replies to charged requests that carried an Idempotency-Key, for 24 hours. Commits with the charge.';
comment on column idempotent_reply.client_id is 'Whose key.';
comment on column idempotent_reply.key is 'The Idempotency-Key header.';
comment on column idempotent_reply.request_hash is 'SHA-256 of method, path and body: the same key with another request is refused.';
comment on column idempotent_reply.reply is 'The body that was sent, byte for byte (hence not jsonb). Null only inside the transaction that is making it.';
comment on column idempotent_reply.created_at is 'After 24 hours the key may be used anew.';
