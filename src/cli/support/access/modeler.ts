import { randomBytes } from 'node:crypto'
import { systemCode } from '../../../lib/errors.ts'
import { withClient } from '../../../lib/postgres.ts'
import { scramVerifier } from '../../../lib/scram.ts'
import { ANALYST } from './analyst-rules.ts'
import { MODELER, readerRules } from './database-rules.ts'
import type { AccessRule } from './rules.ts'
import { applyRules, DENIED, userOf } from './rules.ts'

/** The schema for the modeler's tables and views, which analysts can read. */
export const MODELS = 'models'
const CONNECTIONS = 10

export interface ModelerLogin {
  password: string
  /** Connection URL of the modeler. */
  url: string
  /** Statements that an administrator must execute, because this role is not allowed to. */
  pending: string[]
}

/**
 * Creates the `talhouse_modeler` role and its schema if they do not exist, and sets a new password, which is not
 * stored.
 */
export async function createModelerLogin(admin: string): Promise<ModelerLogin> {
  const password = randomBytes(18).toString('base64url')
  const setPassword = `alter role ${MODELER} login password '${scramVerifier(password)}'`
  const pending = await withClient(admin, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('talhouse access'))`)
    const missing = await applyRules(client, [...modelerRules(userOf(admin)), ...readerRules([MODELER])])
    const isDenied = await client.query(setPassword).then(
      () => false,
      (error: unknown) => {
        if (!DENIED.includes(systemCode(error) ?? '')) throw error
        return true
      },
    )
    return isDenied ? [...missing, setPassword] : missing
  })
  const url = new URL(admin)
  url.username = MODELER
  url.password = password
  return { password, url: url.href, pending }
}

/**
 * Access rules for the role and its schema. `owner` becomes a member of the role, because only members can create a
 * schema for a role.
 */
const modelerRules = (owner: string): AccessRule[] => [
  {
    text: `
      select 'create role ${MODELER} login connection limit ${CONNECTIONS}' as statement
      where not exists (select from pg_roles where rolname = '${MODELER}')`,
  },
  {
    text: `
      select format('grant ${MODELER} to %I', $1::text) as statement
      where not exists (select from pg_roles where rolname = '${MODELER}' and pg_has_role($1, oid, 'usage'))`,
    values: [owner],
  },
  {
    text: `
      select format('alter role ${MODELER} in database %I set idle_in_transaction_session_timeout = ''10min''', current_database()) as statement
      where not exists (
        select from pg_db_role_setting
        where setrole = (select oid from pg_roles where rolname = '${MODELER}')
          and setdatabase = (select oid from pg_database where datname = current_database()))`,
  },
  {
    // dbt stores the rows of incremental models and of some tests in temporary tables.
    text: `
      select format('grant temporary on database %I to ${MODELER}', current_database()) as statement
      where not exists (
        select from pg_roles where rolname = '${MODELER}' and has_database_privilege(oid, current_database(), 'temporary'))`,
  },
  {
    text: `
      select 'create schema ${MODELS} authorization ${MODELER}' as statement
      where not exists (select from pg_namespace where nspname = '${MODELS}')`,
  },
  {
    text: `
      select 'grant usage on schema ${MODELS} to ${ANALYST}' as statement
      where not exists (
        select from pg_namespace n, pg_roles r
        where nspname = '${MODELS}' and rolname = '${ANALYST}' and has_schema_privilege(r.oid, n.oid, 'usage'))`,
  },
  {
    text: `
      select 'alter default privileges for role ${MODELER} in schema ${MODELS} grant select on tables to ${ANALYST}' as statement
      where not exists (
        select from pg_default_acl join pg_namespace on pg_namespace.oid = defaclnamespace
        where nspname = '${MODELS}' and defaclrole = (select oid from pg_roles where rolname = '${MODELER}'))`,
  },
]
