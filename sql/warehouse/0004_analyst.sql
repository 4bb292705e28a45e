-- Analysts read the warehouse and nothing else. The role is the server's, not the database's: it may be there already, and on a server
-- where this user may not make roles, somebody else has to make it before.
do $$
begin
  if not exists (select from pg_roles where rolname = 'talhouse_analyst') then
    create role talhouse_analyst nologin;
    alter role talhouse_analyst set default_transaction_read_only = on;
    alter role talhouse_analyst set statement_timeout = '5min';
    alter role talhouse_analyst set idle_in_transaction_session_timeout = '10min';
    alter role talhouse_analyst set search_path = warehouse, public;
  end if;
exception
  when duplicate_object or unique_violation then null; -- another database of this server was faster
  when insufficient_privilege then raise warning 'this user may not create roles: the analysts'' role talhouse_analyst is missing';
end
$$;

do $$
begin
  if exists (select from pg_roles where rolname = 'talhouse_analyst') then
    grant usage on schema warehouse to talhouse_analyst;
    grant select on all tables in schema warehouse to talhouse_analyst;
    -- Tables that later migrations add are readable without further words.
    alter default privileges in schema warehouse grant select on tables to talhouse_analyst;
  end if;
end
$$;
