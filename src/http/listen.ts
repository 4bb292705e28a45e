import { AppError, messageOf, systemCode } from '../lib/errors.ts'
import type { App } from './deps.ts'

/** A listening service. Letting go of it stops accepting, finishes what is in flight, and closes. */
export interface HttpServer extends AsyncDisposable {
  /** Where it answers, without a slash at the end. */
  url: string
}

/** What is still running then is cut off. */
const CLOSE_TIMEOUT_MS = 10_000

/** Listens on an address; port 0 takes a free one. */
export async function listen(app: App, { host, port }: { host: string; port: number }): Promise<HttpServer> {
  const url = await app.listen({ host, port }).catch((error: unknown) => {
    throw new AppError('configuration', `Cannot listen on ${host}:${port}: ${reason(error)}`, { cause: error })
  })
  return {
    url,
    async [Symbol.asyncDispose]() {
      const deadline = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS)
      // A connection whose last reply has just been sent would otherwise be kept alive until the deadline.
      const sweep = setInterval(() => app.server.closeIdleConnections(), 20)
      await app.close().finally(() => {
        clearTimeout(deadline)
        clearInterval(sweep)
      })
    },
  }
}

function reason(error: unknown): string {
  const code = systemCode(error)
  if (code === 'EADDRINUSE') return 'the port is taken. Set TALHOUSE_HTTP_PORT to another one (0 takes a free one).'
  if (code === 'EACCES') return 'this user may not use the port. Set TALHOUSE_HTTP_PORT to one above 1023.'
  return messageOf(error)
}
