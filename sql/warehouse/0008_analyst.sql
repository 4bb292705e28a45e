-- Analysts read the schema warehouse and nothing else. Roles belong to the server rather than to the database, so the role may
-- already exist; if the owner may not create roles, an administrator must have created it.
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
  when duplicate_object or unique_violation then null; -- created concurrently by another database's migration
  when insufficient_privilege then raise warning 'this user may not create roles: the analysts'' role talhouse_analyst is missing';
end
$$;

do $$
begin
  if exists (select from pg_roles where rolname = 'talhouse_analyst') then
    grant usage on schema warehouse to talhouse_analyst;
    grant select on all tables in schema warehouse to talhouse_analyst;
    -- Covers tables added by later migrations.
    alter default privileges in schema warehouse grant select on tables to talhouse_analyst;
  end if;
end
$$;
