import { createHmac } from 'node:crypto'
import { withClient, withDatabase } from '../../../lib/postgres.ts'
import { scramVerifier } from '../../../lib/scram.ts'
import type { Role } from './database-rules.ts'
import { applyRules } from './rules.ts'

/** Connection URLs of one database, by privilege. */
export interface DatabaseUrls {
  /**
   * URL of the role that sets up roles and privileges: a superuser on the embedded server; the owner on other servers.
   */
  admin: string
  /** URL of the role that owns the schema and runs migrations. */
  owner: string
  /** URL for all long-lived connections. */
  runtime: string
}

const DATABASES = { service: 'talhouse_service', warehouse: 'talhouse_warehouse' } as const

/**
 * Creates missing roles and the database on the embedded server. `superuser` is the superuser's URL for the `postgres`
 * database.
 */
export async function prepareEmbedded(superuser: string, role: Role): Promise<DatabaseUrls> {
  const database = DATABASES[role]
  const urls = {
    admin: withDatabase(superuser, database),
    owner: loginAs(superuser, `${database}_owner`, database),
    runtime: embeddedUrl(superuser, role),
  }
  await withClient(superuser, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('talhouse roles'))`)
    const { rows } = await client.query<{ name: string }>(
      'select name from unnest($1::text[]) as name where not exists (select from pg_roles where rolname = name)',
      [[`${database}_owner`, database]],
    )
    for (const { name } of rows) {
      const verifier = scramVerifier(passwordOf(superuser, name))
      await client.query(`create role ${name} login password '${verifier}'`)
    }
    await applyRules(client, [
      {
        text: `
          select format('create database %I owner %I', $1::text, $1 || '_owner') as statement
          where not exists (select from pg_database where datname = $1)`,
        values: [database],
      },
      {
        text: `
          select format('revoke all on database %I from public', datname) as statement from pg_database
          where datname in ('postgres', 'template1') and has_database_privilege('public', oid, 'connect, temporary')`,
      },
    ])
  })
  return urls
}

/** The runtime URL of a database on the embedded server, derived from the superuser's URL. */
export const embeddedUrl = (superuser: string, role: Role): string =>
  loginAs(superuser, DATABASES[role], DATABASES[role])

/** Derives a role's password from the server's password, so that the data folder contains only one secret. */
const passwordOf = (superuser: string, name: string): string =>
  createHmac('sha256', decodeURIComponent(new URL(superuser).password))
    .update(name)
    .digest('base64url')

function loginAs(superuser: string, name: string, database: string): string {
  const url = new URL(withDatabase(superuser, database))
  url.username = name
  url.password = passwordOf(superuser, name)
  return url.href
}
