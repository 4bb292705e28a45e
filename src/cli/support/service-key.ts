import { isIPv6 } from 'node:net'
import type { Config } from '../../config/schema.ts'
import type { Scope } from '../../contract/scopes.ts'
import { AppError } from '../../lib/errors.ts'
import type { Command } from './command.ts'
import { openService } from './databases.ts'
import { createMainKey, ensureMainClient } from './main-client.ts'
import { secretFile } from './secret-file.ts'

/** An API key that a process creates for its own requests, owned by the main client. */
interface OwnKey {
  /** Name of the key file in the data folder. */
  file: string
  label: string
  /** Scopes of the key. @default the scopes of a customer's key */
  scopes?: readonly Scope[]
}

/**
 * Returns the process's API key: TALHOUSE_SERVICE_API_KEY or, for a local service, a key of the main client that is
 * created once and stored in the data folder.
 */
export async function serviceKey(
  command: Command,
  { file, ...key }: OwnKey = { file: 'pipelines.key', label: 'pipelines' },
): Promise<string> {
  const { config } = command
  if (config.secrets.service_api_key) return config.secrets.service_api_key
  if (config.service.base_url)
    throw new AppError(
      'configuration',
      'TALHOUSE_SERVICE_BASE_URL is set without an API key. Also set TALHOUSE_SERVICE_API_KEY.',
    )
  if (config.warehouse.database_url && !config.service.database_url)
    throw new AppError(
      'configuration',
      'The address of the service is unknown. Set TALHOUSE_SERVICE_BASE_URL and TALHOUSE_SERVICE_API_KEY, or TALHOUSE_SERVICE_DATABASE_URL if the service runs on this host.',
    )
  return await secretFile(config.data_dir, file, async () => {
    await using service = await openService(command)
    await ensureMainClient(service.db)
    return (await createMainKey(service.db, key)).key
  })
}

/** Returns the service's configured URL or, if none is configured, the local service's URL. */
export const serviceAddress = ({ config }: Command): string => config.service.base_url || localAddress(config.http)

/** Returns the URL at which a service on this host and port is reachable from the same machine. */
export function localAddress({ host, port }: Pick<Config['http'], 'host' | 'port'>): string {
  if (/^(0\.0\.0\.0|::)$/.test(host)) return `http://127.0.0.1:${port}`
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
