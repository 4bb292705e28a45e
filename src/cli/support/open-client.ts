import type { Client } from '../../client/index.ts'
import { createClient } from '../../client/index.ts'
import type { Command } from './command.ts'
import { serviceAddress, serviceKey } from './service-key.ts'

/** Opens an API client for the configured service. */
export const openClient = async (command: Command): Promise<Client> =>
  createClient({ baseUrl: serviceAddress(command), apiKey: await serviceKey(command), signal: command.signal })
