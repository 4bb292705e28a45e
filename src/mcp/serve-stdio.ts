import type { Client } from '../client/index.ts'
import { createMcpServer } from './create-server.ts'
import { serveStdio } from './sdk.ts'

/** Serves one assistant over stdin and stdout, until stdin ends or the signal aborts. */
export async function serveMcpOverStdio(client: Client, version: string, signal: AbortSignal): Promise<void> {
  const ended = Promise.withResolvers<void>()
  for (const event of ['end', 'close'] as const) process.stdin.once(event, () => ended.resolve())
  signal.addEventListener('abort', () => ended.resolve(), { once: true })
  const server = serveStdio(() => createMcpServer(client, version))
  await ended.promise
  await server.close()
}
