import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Config } from '../../config/schema.ts'
import { runningServerUrl } from '../../lib/embedded-postgres/running-server.ts'
import { silentLog } from '../../lib/logger.ts'
import { openPostgres } from '../../lib/postgres.ts'
import { embeddedUrl } from './access/embedded-access.ts'
import type { Lookup } from './parameters.ts'

const MAX_NAMES = 200

/**
 * Reads names for shell completion: client IDs, or the names of warehouse tables and views. Does not start a server or
 * apply migrations. Returns an empty list if the database cannot be read.
 */
export async function readNames(config: Config, kind: Lookup): Promise<string[]> {
  try {
    if (kind === 'clients') {
      const read = sql<{ name: string }>`select client_id as name from client order by 1 limit ${MAX_NAMES}`
      return await readFrom(config, 'service', read)
    }
    const read = sql<{ name: string }>`
      select 'warehouse.' || relname as name from pg_class
      where relnamespace = 'warehouse'::regnamespace and relkind in ('r', 'p', 'v', 'm') and not relispartition
      order by 1 limit ${MAX_NAMES}
    `
    return await readFrom(config, 'warehouse', read)
  } catch {
    return []
  }
}

async function readFrom(config: Config, role: 'service' | 'warehouse', read: RawBuilder<{ name: string }>) {
  const configured = config[role].database_url
  const superuser = configured ? undefined : await runningServerUrl(config.data_dir)
  const url = configured || (superuser && embeddedUrl(superuser, role))
  if (!url) return []
  await using postgres = openPostgres(url, { log: silentLog, name: 'completion', connections: 1 })
  return (await read.execute(postgres.db)).rows.map(({ name }) => name)
}
