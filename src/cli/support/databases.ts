import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { ServiceTables } from '../../db/database.ts'
import type { EmbeddedPostgres } from '../../lib/embedded-postgres/server.ts'
import { startEmbeddedPostgres } from '../../lib/embedded-postgres/server.ts'
import { AppError, messageOf } from '../../lib/errors.ts'
import type { Log } from '../../lib/logger.ts'
import { migrate } from '../../lib/migrations.ts'
import type { Postgres } from '../../lib/postgres.ts'
import { ensureDatabase, openPostgres } from '../../lib/postgres.ts'
import type { Command } from './command.ts'

type Role = 'service' | 'warehouse'

interface ConnectionOptions {
  /** Statement timeout in milliseconds. @default none */
  statementTimeout?: number
}

const DATABASES = { service: 'talhouse_service', warehouse: 'talhouse_warehouse' } as const

/** Opens the migrated service database on the configured or the embedded server. */
export const openService = (command: Command, options?: ConnectionOptions): Promise<Postgres<ServiceTables>> =>
  open<ServiceTables>(command, 'service', options)

/** Opens the migrated warehouse. The pipelines define its table types. */
export const openWarehouse = <Tables>(command: Command): Promise<Postgres<Tables>> => open<Tables>(command, 'warehouse')

async function open<Tables>(
  { config, log }: Command,
  role: Role,
  options?: ConnectionOptions,
): Promise<Postgres<Tables>> {
  await using stack = new AsyncDisposableStack()
  const url = config[role].database_url || (await embedded(config, log, stack)).url(DATABASES[role])
  try {
    await ensureDatabase(url)
  } catch (error) {
    throw new AppError(
      'unavailable',
      `Cannot connect to the ${role} database: ${messageOf(error)}. Check TALHOUSE_${role.toUpperCase()}_DATABASE_URL and that the server is running.`,
      { cause: error },
    )
  }
  const postgres = stack.use(
    openPostgres<Tables>(url, { log, name: role, connections: config[role].connections, ...options }),
  )
  const applied = await migrate(postgres.db, join(import.meta.dirname, `../../../sql/${role}`))
  if (applied.length > 0) log.debug({ database: role, migrations: applied }, 'migrated')
  const rest = stack.move()
  return { ...postgres, [Symbol.asyncDispose]: () => rest.disposeAsync() }
}

/** Both databases share one embedded server; the last one to close releases it. */
let shared: { server: Promise<EmbeddedPostgres>; users: number } | undefined

async function embedded(config: Config, log: Log, stack: AsyncDisposableStack): Promise<EmbeddedPostgres> {
  shared ??= { server: startEmbeddedPostgres({ dataDir: config.data_dir, port: config.postgres.port, log }), users: 0 }
  const mine = shared
  const server = await mine.server.catch((error: unknown) => {
    shared = undefined
    throw error
  })
  mine.users += 1
  stack.defer(async () => {
    mine.users -= 1
    if (mine.users > 0) return
    shared = undefined
    await server[Symbol.asyncDispose]()
  })
  return server
}
