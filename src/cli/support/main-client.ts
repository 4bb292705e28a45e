import { createApiKey } from '../../auth/api-keys.ts'
import { createClient } from '../../auth/clients.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'

/** The client of whoever runs this installation. Its list is the one that the pipelines keep the warehouse in step with. */
export const MAIN_CLIENT = 'main'

/** Generous: it is the owner's own machine. Units are still counted, so that a runaway job is stopped by its budget. */
const PLAN = {
  name: 'This installation',
  plan: 'self-hosted',
  units_per_period: 10_000,
  reads_per_minute: 60_000,
  submits_per_minute: 600,
}

/** Makes the main client unless it is there. Returns its first API key when it was made now: keys are shown once. */
export async function ensureMainClient(db: Db): Promise<string | undefined> {
  try {
    await createClient(db, { client_id: MAIN_CLIENT, ...PLAN })
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return undefined
    throw error
  }
  return (await createApiKey(db, MAIN_CLIENT, 'made at the first start')).key
}
