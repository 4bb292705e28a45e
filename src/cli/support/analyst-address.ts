import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { AppError, messageOf } from '../../lib/errors.ts'
import type { Postgres } from '../../lib/postgres.ts'
import type { Command } from './command.ts'
import { secretFile } from './secret-file.ts'

export const ANALYST = 'talhouse_analyst'

/**
 * The address of the warehouse for analysts, who have read access to the schema `warehouse`. The password is TALHOUSE_ANALYST_PASSWORD, or one
 * generated once and kept in the data folder.
 */
export async function analystAddress<Tables>({ config }: Command, warehouse: Postgres<Tables>): Promise<string> {
  const password =
    config.secrets.analyst_password ??
    (await secretFile(config.data_dir, 'analyst.password', async () => randomBytes(18).toString('base64url')))
  const address = new URL(warehouse.url)
  address.username = ANALYST
  address.password = encodeURIComponent(password)
  try {
    await sql`alter role ${sql.id(ANALYST)} login password ${sql.lit(password)}`.execute(warehouse.db)
  } catch (error) {
    throw new AppError(
      'configuration',
      `Cannot set the password of the role ${ANALYST}: ${messageOf(error)}. Ask a role with CREATEROLE to set it, or set TALHOUSE_ANALYST_PASSWORD.`,
      { cause: error },
    )
  }
  return address.href
}
