-- Many charges of one client at the same time.

create function charge_units(charged_client text, charged_task uuid, charged_units bigint) returns bigint
language plpgsql as $$
declare
  remaining bigint;
begin
  -- Charges queue here, first come first served, and each then sees the account as the one before left it. Queueing for the row itself,
  -- each would walk past the versions that all the others made of it: half as many a second with 64 at once. The row's own lock, and
  -- the condition under it, are what makes a charge right.
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
  'Takes the units of a task from its client: account and ledger in one. The balance that remains, or null when there is no account in its period with so many units.';
