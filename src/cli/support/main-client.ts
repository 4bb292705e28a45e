import { createApiKey } from '../../auth/api-keys.ts'
import { createClient } from '../../auth/clients.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'

/** The operator's own client. The pipelines sync its target account list. */
export const MAIN_CLIENT = 'main'

/** Generous limits for the operator; counting units still stops a runaway job at its budget. */
const PLAN = {
  name: 'This installation',
  plan: 'self-hosted',
  units_per_period: 10_000,
  reads_per_minute: 60_000,
  submits_per_minute: 600,
}

/** Creates the main client if it does not exist, and returns its first API key only then. */
export async function ensureMainClient(db: Db): Promise<string | undefined> {
  try {
    await createClient(db, { client_id: MAIN_CLIENT, ...PLAN })
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return undefined
    throw error
  }
  return (await createApiKey(db, MAIN_CLIENT, { label: 'first start' })).key
}
