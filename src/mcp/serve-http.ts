import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isIPv6 } from 'node:net'
import type { Client } from '../client/index.ts'
import { AppError, messageOf, systemCode } from '../lib/errors.ts'
import { createMcpServer } from './create-server.ts'
import { createMcpHandler, toNodeHandler } from './sdk.ts'

export interface HttpOptions {
  host: string
  /** Port; 0 selects a free port. */
  port: number
  version: string
  /** Returns a client that uses a request's API key. */
  openClient: (apiKey: string) => Client
  onError: (error: Error) => void
}

/** A listening MCP server. Disposal closes its connections. */
export interface McpHttpServer extends AsyncDisposable {
  url: string
}

const PATH = '/mcp'
/** Maximum body size in bytes. The largest tool argument is 100,000 characters of SQL. */
const BODY_LIMIT = 1024 * 1024
const TIMEOUTS = { requestTimeout: 10_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 }

/**
 * Serves Streamable HTTP without sessions at `/mcp`. Each request includes its API key, so the process itself has no
 * permissions that another client of the port could exploit.
 */
export async function serveMcpOverHttp({
  host,
  port,
  version,
  openClient,
  onError,
}: HttpOptions): Promise<McpHttpServer> {
  const handler = createMcpHandler(
    ({ requestInfo }) => createMcpServer(openClient(keyOf((name) => requestInfo?.headers.get(name)) ?? ''), version),
    { onerror: onError },
  )
  const handle = toNodeHandler(handler, { onerror: onError, maxRequestBodySize: BODY_LIMIT })
  const server = createServer(TIMEOUTS, (request, response) => {
    const refusal = refusalOf(request)
    if (refusal) return refuse(response, refusal)
    handle(request as Parameters<typeof handle>[0], response).catch(onError)
  })
  server.listen({ host, port })
  await once(server, 'listening').catch((error: unknown) => {
    throw new AppError('configuration', `Cannot listen on ${host}:${port}: ${reasonOf(error)}`, { cause: error })
  })
  const { port: actual } = server.address() as AddressInfo
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${actual}${PATH}`,
    async [Symbol.asyncDispose]() {
      await handler.close()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

interface Refusal {
  status: number
  detail: string
}

function refusalOf({ url = '', headers }: IncomingMessage): Refusal | undefined {
  if (url.split('?', 1)[0] !== PATH) return { status: 404, detail: `Not found. The MCP server is at ${PATH}.` }
  // Web pages from other origins may not use the server.
  if (headers.origin !== undefined && hostOf(headers.origin) !== headers.host)
    return { status: 403, detail: 'Requests from pages of other origins are refused.' }
  if (keyOf((name) => headers[name]) === undefined)
    return { status: 401, detail: 'Send an API key: `Authorization: Bearer thk_...` or `X-Api-Key: thk_...`.' }
  return undefined
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/** A request's API key, sent as a bearer token or in the API's own header. */
function keyOf(header: (name: string) => unknown): string | undefined {
  const own = header('x-api-key')
  if (typeof own === 'string' && own !== '') return own
  return /^Bearer +(\S+)$/i.exec(String(header('authorization') ?? ''))?.[1]
}

function refuse(response: ServerResponse, { status, detail }: Refusal): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  })
  response.end(JSON.stringify({ detail }))
}

const reasonOf = (error: unknown): string =>
  systemCode(error) === 'EADDRINUSE' ? 'the port is in use. Choose another with --port.' : messageOf(error)
