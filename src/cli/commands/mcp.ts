import { once } from 'node:events'
import type { Client } from '../../client/index.ts'
import { createClient } from '../../client/index.ts'
import { packageVersion } from '../../lib/package-version.ts'
import { serveMcpOverHttp } from '../../mcp/serve-http.ts'
import { serveMcpOverStdio } from '../../mcp/serve-stdio.ts'
import type { Handler } from '../support/definition.ts'
import { serviceAddress, serviceKey } from '../support/service-key.ts'

interface Arguments {
  port: number | undefined
  host: string
}

/** The assistant waits for each tool call, so a failing call must return quickly instead of retrying for minutes. */
const RETRY = { attempts: 3, maxRetryAfter: 5_000 }
/** The key created for a local service, whose scopes do not allow spending units. */
const READS = { file: 'mcp.key', label: 'mcp', scopes: ['read', 'contacts', 'warehouse'] } as const

export const mcp: Handler<Arguments> = async (command, { port, host }) => {
  const { log, signal, out } = command
  const baseUrl = serviceAddress(command)
  const openClient = (apiKey: string): Client => createClient({ baseUrl, apiKey, signal, retry: RETRY })
  const version = packageVersion()
  if (port === undefined) return await serveMcpOverStdio(openClient(await serviceKey(command, READS)), version, signal)
  const onError = (error: Error) => log.warn({ reason: error.message }, 'MCP request failed')
  await using server = await serveMcpOverHttp({ host, port, version, openClient, onError })
  out.result(
    { url: server.url },
    () => `MCP server at ${server.url}, for the service at ${baseUrl}. Press Ctrl-C to stop.`,
  )
  if (!signal.aborted) await once(signal, 'abort')
}
