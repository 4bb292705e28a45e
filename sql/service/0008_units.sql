-- Enrichment is paid for with units. The ledger is authoritative. The account stores the ledger's running total,
-- updated in the same transaction.

create table unit_account (
  client_id text primary key,
  balance bigint not null,
  granted bigint not null default 0 check (granted >= 0),
  used_this_period bigint not null default 0,
  overage_allowed boolean not null default false,
  period_started_at timestamptz not null,
  period_ends_at timestamptz not null,
  period interval not null,
  period_anchor timestamptz not null,
  constraint unit_account_balance_check check (balance >= 0 or overage_allowed),
  constraint unit_account_period_check check (period_ends_at > period_started_at)
);
comment on table unit_account is 'Balance and current period of each client. The row is created when the client first uses units';
comment on column unit_account.client_id is 'Client';
comment on column unit_account.balance is 'Sum of the client''s ledger entries';
comment on column unit_account.granted is 'Part of the balance that was granted in addition to the plan. These units are used only after the plan''s units, and are carried over to the next period';
comment on column unit_account.used_this_period is 'Units charged in this period, minus refunds of these charges';
comment on column unit_account.overage_allowed is 'Whether the balance may be below zero. Copied from the client at each charge. Remains true while the balance is negative';
comment on column unit_account.period_started_at is 'Start of the current period';
comment on column unit_account.period_ends_at is 'End of the current period. The first use after this time starts the next period';
comment on column unit_account.period is 'Length of the current period, copied from the client when the period started';
comment on column unit_account.period_anchor is 'Start of the first period of this length: the client''s creation, or the end of the last period with a different length';

create table ledger_entry (
  client_id text not null,
  entry_id bigint generated always as identity,
  kind text not null check (kind in ('charge', 'refund', 'grant', 'period_start')),
  units bigint not null,
  balance_after bigint not null,
  task_id uuid,
  item integer not null default 0,
  period_started_at timestamptz not null,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (client_id, entry_id),
  -- Enforces one charge per task and one refund per item.
  constraint ledger_entry_task_key unique (client_id, task_id, kind, item),
  constraint ledger_entry_units_check check (
    case kind when 'charge' then units < 0 when 'refund' then units > 0 when 'grant' then units <> 0 else true end
  ),
  constraint ledger_entry_task_check check ((kind in ('charge', 'refund')) = (task_id is not null))
);
create unique index ledger_entry_period_start_key on ledger_entry (client_id, period_started_at) where kind = 'period_start';
comment on table ledger_entry is 'All changes to clients'' balances. Append-only; a correction is a new entry';
comment on column ledger_entry.client_id is 'Client';
comment on column ledger_entry.entry_id is 'Entry id. Increases over time for each client; may have gaps';
comment on column ledger_entry.kind is 'charge (for a task), refund (for one item), grant (by an operator), period_start (the plan''s units are added and unused plan units expire)';
comment on column ledger_entry.units is 'Signed number of units';
comment on column ledger_entry.balance_after is 'Balance after this entry: the sum of the client''s entries up to and including this entry';
comment on column ledger_entry.task_id is 'Task that was charged for or refunded';
comment on column ledger_entry.item is 'Refunded item of the task; 0 if the entry is for the whole task';
comment on column ledger_entry.period_started_at is 'Start of the entry''s period. A refund belongs to the period of its charge';
comment on column ledger_entry.reason is 'Explanation of the entry';
comment on column ledger_entry.created_at is 'Time of the entry';

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger_entry is append-only: write a new entry instead' using errcode = 'restrict_violation';
end
$$;
comment on function refuse_ledger_change() is 'Rejects updates and deletions in the ledger, for all roles';
create trigger ledger_entry_append_only before update or delete on ledger_entry
  for each row execute function refuse_ledger_change();
create trigger ledger_entry_no_truncate before truncate on ledger_entry
  for each statement execute function refuse_ledger_change();

create function charge_units(charged_client text, charged_task uuid, charged_units bigint) returns bigint
language plpgsql as $$
declare
  remaining bigint;
begin
  -- Concurrent charges to a client wait for an advisory lock. Waiting for the row lock instead would halve the
  -- throughput of 64 concurrent charges, because each charge would read the row versions left by the others. The
  -- advisory lock affects only speed: the row lock and the condition below ensure correctness.
  perform pg_advisory_xact_lock(hashtext('unit_account'), hashtext(charged_client));
  with account as (
    update unit_account a
    set balance = a.balance - charged_units, used_this_period = a.used_this_period + charged_units,
      overage_allowed = c.overage_allowed
    from client c
    where c.client_id = a.client_id and a.client_id = charged_client and a.period_ends_at > clock_timestamp()
      and (a.balance >= charged_units or c.overage_allowed)
    returning a.balance, a.period_started_at
  )
  insert into ledger_entry (client_id, kind, units, balance_after, task_id, period_started_at)
  select charged_client, 'charge', -charged_units, balance, charged_task, period_started_at
  from account
  returning balance_after into remaining;
  return remaining;
end
$$;
comment on function charge_units(text, uuid, bigint) is
  'Charges a task to its client''s account and writes the ledger entry. Returns the new balance, or null if the period has ended or the balance is too low';

create table idempotent_response (
  client_id text not null,
  key text not null check (length(key) between 1 and 255),
  request_hash bytea not null,
  response json,
  created_at timestamptz not null default now(),
  primary key (client_id, key)
);
create index idempotent_response_by_created_at on idempotent_response (created_at);
comment on table idempotent_response is 'Responses to charged requests with an Idempotency-Key, kept for 24 hours. A response is stored in the same transaction as its charge';
comment on column idempotent_response.client_id is 'Client';
comment on column idempotent_response.key is 'Idempotency-Key header';
comment on column idempotent_response.request_hash is 'SHA-256 of method, path and body; a request with the same key but a different hash is rejected';
comment on column idempotent_response.response is 'Response body, stored as text to return it byte for byte. Null only within the transaction that creates the row';
comment on column idempotent_response.created_at is 'Creation time. The key can be reused after 24 hours';

create table quote (
  client_id text not null,
  quote_id uuid not null,
  key_id uuid,
  request jsonb not null,
  units integer not null check (units >= 0),
  response json,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (client_id, quote_id)
);
create index quote_by_created_at on quote (created_at);
comment on table quote is 'Quoted enrichments, kept for 24 hours. Each can be purchased once, for at most the quoted units';
comment on column quote.client_id is 'Client';
comment on column quote.quote_id is 'Identifier in API paths';
comment on column quote.key_id is 'API key that requested the quote; null for a browser session without a key';
comment on column quote.request is 'Quoted request, keyed by its kind: company, person, batch, leadership, signals or list';
comment on column quote.units is 'Quoted cost. A purchase that would cost more is rejected';
comment on column quote.response is 'Response to the purchase, stored as text to return it byte for byte. Null until the purchase';
comment on column quote.created_at is 'Creation time';
comment on column quote.expires_at is 'Time after which the quote can no longer be purchased';
