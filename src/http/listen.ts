import { AppError, messageOf, systemCode } from '../lib/errors.ts'
import type { App } from './deps.ts'

/** A listening server. Disposal stops accepting connections and waits for requests in progress. */
export interface HttpServer extends AsyncDisposable {
  /** Base URL without a trailing slash. */
  url: string
}

/** Timeout after which requests in progress are aborted. */
const CLOSE_TIMEOUT_MS = 10_000

/** Listens on an address; port 0 selects a free port. `setting` is the environment variable that sets the port. */
export async function listen(
  app: App,
  { host, port }: { host: string; port: number },
  setting = 'TALHOUSE_HTTP_PORT',
): Promise<HttpServer> {
  const url = await app.listen({ host, port }).catch((error: unknown) => {
    throw new AppError('configuration', `Cannot listen on ${host}:${port}: ${reason(error, setting)}`, { cause: error })
  })
  return {
    url,
    async [Symbol.asyncDispose]() {
      const deadline = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS)
      // Without this sweep, connections that become idle during shutdown would stay open until the deadline.
      const sweep = setInterval(() => app.server.closeIdleConnections(), 20)
      await app.close().finally(() => {
        clearTimeout(deadline)
        clearInterval(sweep)
      })
    },
  }
}

function reason(error: unknown, setting: string): string {
  const code = systemCode(error)
  if (code === 'EADDRINUSE') return `the port is in use. Set ${setting} to another port (0 selects a free port).`
  if (code === 'EACCES') return `this user cannot bind the port. Set ${setting} to a port above 1023.`
  return messageOf(error)
}
