import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { AppError, systemCode } from '../lib/errors.ts'

/**
 * A client's settings. Settings omitted for a new client have their default values. Settings omitted from an update
 * keep their current values.
 */
export interface ClientPlan {
  name?: string
  plan?: string
  /** Units granted at the start of each period. */
  units_per_period?: number
  /** Length of a period as a PostgreSQL interval, such as `1 month` or `30 days`. */
  period?: string
  overage_allowed?: boolean
  reads_per_minute?: number
  submits_per_minute?: number
  /** End of the trial, ISO 8601; null if the client is not on trial. */
  trial_ends_at?: string | null
}

export interface Client extends Required<ClientPlan> {
  client_id: string
  created_at: string
}

const SHOWN = [
  'client_id',
  'name',
  'plan',
  'units_per_period',
  sql<string>`period::text`.as('period'),
  'overage_allowed',
  'reads_per_minute',
  'submits_per_minute',
  'trial_ends_at',
  'created_at',
] as const

/** Creates a client. The ID defaults to a UUID. Throws `conflict` if the ID is already in use. */
export async function createClient(db: Db, client: ClientPlan & { client_id?: string; name: string }): Promise<Client> {
  const row = { client_id: client.client_id ?? randomUUID(), ...client }
  if (row.name.trim() === '') throw new AppError('invalid_request', 'A client needs a name, such as "Acme Capital".')
  try {
    return await db.insertInto('client').values(row).returning(SHOWN).executeTakeFirstOrThrow()
  } catch (error) {
    throw refused(error, row.client_id)
  }
}

export async function listClients(db: Db): Promise<Client[]> {
  return await db.selectFrom('client').select(SHOWN).orderBy('client_id').execute()
}

export async function hasClients(db: Db): Promise<boolean> {
  return (await db.selectFrom('client').select('client_id').limit(1).executeTakeFirst()) !== undefined
}

export async function findClient(db: Db, clientId: string): Promise<Client> {
  const client = await db.selectFrom('client').select(SHOWN).where('client_id', '=', clientId).executeTakeFirst()
  return client ?? unknownClient(clientId)
}

/** Updates the given settings. The change takes effect in all server processes within 15 seconds. */
export async function updateClient(db: Db, clientId: string, changes: ClientPlan): Promise<Client> {
  if (Object.keys(changes).length === 0) return await findClient(db, clientId)
  try {
    const update = db.updateTable('client').set(changes).where('client_id', '=', clientId).returning(SHOWN)
    return (await update.executeTakeFirst()) ?? unknownClient(clientId)
  } catch (error) {
    throw refused(error, clientId)
  }
}

function unknownClient(clientId: string): never {
  throw new AppError('not_found', `Client ${clientId} not found. List clients with \`talhouse clients list\`.`)
}

/** SQLSTATE `invalid_datetime_format`. The period is the only setting that PostgreSQL parses. */
const INVALID_PERIOD = '22007'
const NOT_A_PERIOD = 'Write the period as `1 month`, `30 days` or `1 year`.'

const RULES: Record<string, string> = {
  client_client_id_check: 'A client id has 1 to 63 characters: lower-case letters, digits, - and _. It cannot be `me`.',
  client_units_per_period_check: 'Units per period must be at least 0.',
  client_period_check: 'A period must be at least one day, such as `1 month` or `30 days`.',
  client_rates_check: 'Requests per minute must be at least 1.',
}

/** Translates a constraint violation into an error message. Returns other errors unchanged. */
function refused(error: unknown, clientId: string): unknown {
  const code = systemCode(error)
  if (code === '23505') return new AppError('conflict', `Client ${clientId} already exists.`, { cause: error })
  const rule = RULES[(error as { constraint?: string }).constraint ?? '']
  if (rule) return new AppError('invalid_request', rule, { cause: error })
  if (code === INVALID_PERIOD) return new AppError('invalid_request', NOT_A_PERIOD, { cause: error })
  const badValue = code?.startsWith('22')
  return badValue ? new AppError('invalid_request', (error as Error).message, { cause: error }) : error
}
