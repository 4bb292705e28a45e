import { audited } from '../../audit/audit-log.ts'
import type { ApiKey, NewKey } from '../../auth/api-keys.ts'
import { createApiKey } from '../../auth/api-keys.ts'
import { createClient } from '../../auth/clients.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'
import { cliActor } from './cli-actor.ts'

/** The operator's client, whose target account list the pipelines sync. */
export const MAIN_CLIENT = 'main'

/** Generous limits for the operator. A runaway job is still stopped by the unit budget. */
const PLAN = {
  name: 'This installation',
  plan: 'self-hosted',
  units_per_period: 10_000,
  reads_per_minute: 60_000,
  submits_per_minute: 600,
}

/** Creates the main client, without a key, if it does not exist. Returns true if the client was created. */
export async function ensureMainClient(db: Db): Promise<boolean> {
  const known = await db
    .selectFrom('client')
    .select('client_id')
    .where('client_id', '=', MAIN_CLIENT)
    .executeTakeFirst()
  if (known) return false
  try {
    await audited(db, cliActor(), { action: 'client.create', target: MAIN_CLIENT }, (trx) =>
      createClient(trx, { client_id: MAIN_CLIENT, ...PLAN }),
    )
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return false
    throw error
  }
  return true
}

/** Creates an API key of the main client. */
export async function createMainKey(db: Db, key: NewKey & { label: string }): Promise<ApiKey & { key: string }> {
  const details = ({ key_id }: ApiKey) => ({ key_id, label: key.label })
  const change = { action: 'key.create', target: MAIN_CLIENT, details }
  return await audited(db, cliActor(), change, (trx) => createApiKey(trx, MAIN_CLIENT, key))
}
