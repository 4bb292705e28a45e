import { createApiKey } from '../auth/api-keys.ts'
import { createClient } from '../auth/clients.ts'
import { AppError } from '../lib/errors.ts'
import type { Command } from './command.ts'
import { openService } from './databases.ts'
import { secretFile } from './secret-file.ts'

const CLIENT = 'pipelines'

/**
 * The key that the pipelines use: TALHOUSE_SERVICE_API_KEY, or, for talhouse's own service, one of a client of its own that is made once and kept
 * in the data folder.
 */
export async function serviceKey(command: Command): Promise<string> {
  const { config } = command
  if (config.secrets.service_api_key) return config.secrets.service_api_key
  if (config.service.base_url)
    throw new AppError('configuration', 'Set TALHOUSE_SERVICE_API_KEY to your key for TALHOUSE_SERVICE_BASE_URL.')
  return await secretFile(config.data_dir, 'pipelines.key', async () => {
    await using service = await openService(command)
    await createClient(service.db, { client_id: CLIENT, name: 'The pipelines', reads_per_minute: 60_000 }).catch(
      (error: unknown) => {
        if (!(error instanceof AppError && error.code === 'conflict')) throw error
      },
    )
    return (await createApiKey(service.db, CLIENT, 'made by the pipelines')).key
  })
}

/** Where the service is: what the settings say, or talhouse's own. */
export const serviceAddress = ({ config }: Command): string =>
  config.service.base_url ||
  `http://${/^(0\.0\.0\.0|::)$/.test(config.http.host) ? '127.0.0.1' : config.http.host}:${config.http.port}`
