import type { Config } from '../../config.ts'
import type { ServiceTables } from '../../db/database.ts'
import { runningServerUrl } from '../../lib/embedded-postgres/running-server.ts'
import { silentLog } from '../../lib/logger.ts'
import { openPostgres } from '../../lib/postgres.ts'
import { embeddedUrl } from './access/embedded-access.ts'

const MAX_NAMES = 200

/**
 * Reads IDs of clients for shell completion. Starts no server and applies no migrations; if the database cannot be read,
 * returns none.
 */
export async function readClientIds({ service, data_dir }: Config): Promise<string[]> {
  try {
    const superuser = service.database_url ? undefined : await runningServerUrl(data_dir)
    const url = service.database_url || (superuser && embeddedUrl(superuser, 'service'))
    if (!url) return []
    await using postgres = openPostgres<ServiceTables>(url, { log: silentLog, name: 'completion', connections: 1 })
    const clients = postgres.db.selectFrom('client').select('client_id').orderBy('client_id').limit(MAX_NAMES)
    return (await clients.execute()).map(({ client_id }) => client_id)
  } catch {
    return []
  }
}
