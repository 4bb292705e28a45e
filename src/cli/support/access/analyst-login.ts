import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { copyRows } from '../../../lib/copy-rows.ts'
import { AppError, systemCode } from '../../../lib/errors.ts'
import type { Postgres, PostgresConnection } from '../../../lib/postgres.ts'
import { withClient } from '../../../lib/postgres.ts'
import { scramVerifier } from '../../../lib/scram.ts'
import { ANALYST } from './analyst-rules.ts'

const INSUFFICIENT_PRIVILEGE = '42501'
const UNKNOWN_ROLE = '42704'
/** SQLSTATEs for a wrong password and for a role that cannot log in. */
const LOGIN_REFUSED = ['28P01', '28000']

const alterPassword = (password: string): string => `alter role ${ANALYST} login password '${scramVerifier(password)}'`

const newPassword = (): string => randomBytes(18).toString('base64url')

/** Returns the connection URL for analysts, who can only read the `warehouse` schema. */
export async function analystAddress<Tables>(warehouse: Postgres<Tables>): Promise<string> {
  const { rows } = await sql<{ password: string }>`select password from sync.analyst_login`.execute(warehouse.db)
  const password = rows[0]?.password
  if (password === undefined)
    throw new AppError(
      'configuration',
      `The role ${ANALYST} has no password for this warehouse. Set one with \`talhouse analyst reset-password\`.`,
    )
  return withLogin(warehouse.url, password)
}

function withLogin(url: string, password: string): string {
  const address = new URL(url)
  address.username = ANALYST
  address.password = encodeURIComponent(password)
  return address.href
}

/**
 * Sets the analyst's password if it has never been set. If this role is not allowed to set the password, returns a
 * statement for an administrator to execute. `isNew` means that the role was just created. The password of an existing
 * role may be in use by another warehouse on the server.
 */
export async function initializePassword(
  client: PostgresConnection,
  url: string,
  { isNew, configured }: { isNew: boolean; configured: string | undefined },
): Promise<string[]> {
  const stored = await readPassword(client)
  if (stored !== undefined) return (await canLogIn(url, stored)) ? [] : [alterPassword(stored)]
  return isNew || (await hasNoPassword(client)) ? await storePassword(client, configured ?? newPassword()) : []
}

/**
 * Replaces the password. Returns the new password and, if this role is not allowed to set it, a statement for an
 * administrator to execute.
 */
export async function resetPassword(
  admin: string,
  configured: string | undefined,
): Promise<{ password: string; pending: string[] }> {
  const password = configured ?? newPassword()
  return { password, pending: await withClient(admin, (client) => storePassword(client, password)) }
}

/** Restores the stored password if the analyst has changed it. Returns true if the analyst had changed the password. */
export async function restorePassword(client: PostgresConnection, url: string): Promise<boolean> {
  const stored = await readPassword(client)
  if (stored === undefined || (await canLogIn(url, stored))) return false
  await client.query(alterPassword(stored))
  return true
}

/**
 * Stores and sets the password in one transaction. If this role is not allowed to alter the analyst, the password is
 * only stored.
 */
async function storePassword(client: PostgresConnection, password: string): Promise<string[]> {
  const statement = alterPassword(password)
  await client.query('begin')
  try {
    await client.query(`select pg_advisory_xact_lock(hashtext('talhouse access'))`)
    await client.query('delete from sync.analyst_login')
    // COPY keeps the password out of the server's log, which may contain statements and their parameters.
    await copyRows(client, 'copy sync.analyst_login (password) from stdin', oneRow(password))
    await client.query('savepoint stored')
    const isDenied = await client.query(statement).then(
      () => false,
      (error: unknown) => {
        if (![INSUFFICIENT_PRIVILEGE, UNKNOWN_ROLE].includes(systemCode(error) ?? '')) throw error
        return true
      },
    )
    if (isDenied) await client.query('rollback to savepoint stored')
    await client.query('commit')
    return isDenied ? [statement] : []
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function* oneRow(value: string): AsyncGenerator<string[]> {
  yield [value]
}

async function readPassword(client: PostgresConnection): Promise<string | undefined> {
  const { rows } = await client.query<{ password: string }>('select password from sync.analyst_login')
  return rows[0]?.password
}

/** Reports whether the analyst has no password; false if this role is not allowed to read passwords. */
async function hasNoPassword(client: PostgresConnection): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(`select has_table_privilege('pg_authid', 'select') as may`)
  if (!rows[0]?.may) return false
  const { rowCount } = await client.query('select from pg_authid where rolname = $1 and rolpassword is null', [ANALYST])
  return rowCount === 1
}

/**
 * Tests the login. Returns false only if the server rejects the password. The password is not tested if no connection
 * is free.
 */
async function canLogIn(url: string, password: string): Promise<boolean> {
  try {
    await withClient(withLogin(url, password), async () => undefined)
    return true
  } catch (error) {
    return !LOGIN_REFUSED.includes(systemCode(error) ?? '')
  }
}
