import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runningPort } from './postmaster-file.ts'
import { serverUrl } from './server.ts'

/**
 * Returns the URL of the superuser's database on the server running in this data folder; undefined if no server is
 * running.
 */
export async function runningServerUrl(dataDir: string): Promise<string | undefined> {
  const port = await runningPort(join(dataDir, 'postgres'))
  if (port === undefined) return undefined
  const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim()
  return serverUrl({ port, password, database: 'postgres' })
}
