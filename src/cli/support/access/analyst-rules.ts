import type { AccessRule } from './rules.ts'

export const ANALYST = 'talhouse_analyst'

/** Maximum number of concurrent analyst sessions. */
const CONNECTIONS = 40

/**
 * Session defaults. An analyst can change these defaults within a session, but maintenance ends long sessions and
 * restores the role's defaults.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  default_transaction_read_only: 'on',
  idle_in_transaction_session_timeout: '10min',
  idle_session_timeout: '1h',
  search_path: 'warehouse, public',
  statement_timeout: '5min',
}

/** Maximum disk space for one session's temporary files. Only a superuser can set this limit. */
const TEMP_FILE_LIMIT = 'temp_file_limit=4GB'

/**
 * Rules for the analyst role and its settings in the current database. `owner` becomes a member of the role, so that
 * the owner can end the role's sessions.
 */
export function analystRules(owner: string): AccessRule[] {
  const expected = Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}`)
  const assign = Object.entries(SETTINGS).map(
    ([name, value]) => `set ${name} = ${name === 'search_path' ? value : `'${value}'`}`,
  )
  return [
    {
      text: `
        select 'create role ${ANALYST} login connection limit ${CONNECTIONS}' as statement
        where not exists (select from pg_roles where rolname = '${ANALYST}')`,
    },
    {
      text: `
        select 'alter role ${ANALYST} ' || concat_ws(' ', case when rolsuper then 'nosuperuser' end, case when rolcreatedb then 'nocreatedb' end,
          case when rolcreaterole then 'nocreaterole' end, case when rolreplication then 'noreplication' end,
          case when rolbypassrls then 'nobypassrls' end, 'login connection limit ${CONNECTIONS}') as statement
        from pg_roles where rolname = '${ANALYST}'
          and (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls or not rolcanlogin or rolconnlimit <> ${CONNECTIONS})`,
    },
    {
      text: `
        select format('revoke %I from ${ANALYST}', granted.rolname) as statement
        from pg_auth_members join pg_roles granted on granted.oid = roleid
        where member = (select oid from pg_roles where rolname = '${ANALYST}')`,
    },
    {
      text: `
        select format('grant ${ANALYST} to %I', $1::text) as statement
        where not exists (select from pg_roles where rolname = '${ANALYST}' and pg_has_role($1, oid, 'usage'))`,
      values: [owner],
    },
    {
      text: `
        select format('alter default privileges for role ${ANALYST}%s revoke all on %s from %s', ' in schema ' || quote_ident(nspname),
          case defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' when 'T' then 'types' else 'schemas' end,
          case grantee when 0 then 'public' else quote_ident(grantee::regrole::text) end) as statement
        from pg_default_acl left join pg_namespace on pg_namespace.oid = defaclnamespace, aclexplode(defaclacl)
        where defaclrole = (select oid from pg_roles where rolname = '${ANALYST}') and grantee <> defaclrole`,
    },
    {
      text: `
        select 'alter role ${ANALYST} reset all' as statement from pg_db_role_setting join pg_roles on pg_roles.oid = setrole
        where rolname = '${ANALYST}' and setdatabase = 0`,
    },
    {
      text: `
        select format(line, '${ANALYST}', current_database()) as statement
        from unnest($2::text[]) with ordinality as needed (line, number)
        where not exists (
          select from pg_db_role_setting
          where setrole = (select oid from pg_roles where rolname = '${ANALYST}')
            and setdatabase = (select oid from pg_database where datname = current_database())
            and (select array_agg(one order by one) from unnest(setconfig) as one where one not like 'temp_file_limit=%') = $1::text[]
        )
        order by number`,
      values: [expected, ['reset all', ...assign].map((line) => `alter role %I in database %I ${line}`)],
    },
    {
      text: `
        select format('alter role %I in database %I set temp_file_limit = ''4GB''', '${ANALYST}', current_database()) as statement
        where not exists (
          select from pg_db_role_setting
          where setrole = (select oid from pg_roles where rolname = '${ANALYST}')
            and setdatabase = (select oid from pg_database where datname = current_database()) and '${TEMP_FILE_LIMIT}' = any(setconfig)
        )`,
    },
  ]
}
