import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { AppError, messageOf } from '../../lib/errors.ts'
import type { Postgres } from '../../lib/postgres.ts'
import type { Command } from './command.ts'
import { secretFile } from './secret-file.ts'

export const ANALYST = 'talhouse_analyst'

/**
 * The warehouse's address for analysts, who may read the schema `warehouse` and nothing else. Their password is TALHOUSE_ANALYST_PASSWORD, or one
 * that is made once and kept in the data folder.
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
      `The analysts' role ${ANALYST} cannot be given a password: ${messageOf(error)}. On this server, somebody who may has to do it.`,
      { cause: error },
    )
  }
  return address.href
}
