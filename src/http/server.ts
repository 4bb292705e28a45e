import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ProblemCode } from './problem.ts'
import { problem, STATUS } from './problem.ts'

/** 1 MiB: a thousand times the largest sensible request. */
export const BODY_LIMIT = 1024 * 1024

/** A client has this long; one that dribbles is cut, so that it cannot hold what others need. */
export const serverOptions = {
  /** From the first byte to the last of the body. */
  requestTimeout: 10_000,
  keepAliveTimeout: 65_000,
  http: {
    headersTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 16 * 1024,
    // Node would refuse without a body; unknown-routes.ts refuses with ours.
    requireHostHeader: false,
  },
  routerOptions: { maxParamLength: 500 },
} as const

const MALFORMED: Record<string, [ProblemCode, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request line and headers are larger than 16 KiB.'],
}

/** What is not HTTP gets the same error body as everything else, as far as the socket still takes it. */
export function refuseMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [code, detail] = MALFORMED[error.code ?? ''] ?? ['invalid_request', 'This is not a valid HTTP request.']
  refuse(socket, code, detail)
}

/** Two requests that Node answers by itself, without a body: tunnels, and expectations that it does not know. */
export function refuseUnsupported(server: Server): void {
  server.on('connect', (_request, socket) => refuse(socket, 'method_not_allowed', 'This is not a proxy.'))
  server.on('checkExpectation', (_request, response) => {
    const detail = 'The only expectation that is met is 100-continue.'
    const body = JSON.stringify(problem('expectation_failed', detail, randomUUID()))
    const headers = { 'content-type': CONTENT_TYPE, 'content-length': Buffer.byteLength(body) }
    response.writeHead(STATUS.expectation_failed, headers).end(body)
  })
}

const CONTENT_TYPE = 'application/json; charset=utf-8'

function refuse(socket: Duplex, code: ProblemCode, detail: string): void {
  const body = JSON.stringify(problem(code, detail, randomUUID()))
  socket.end(
    `HTTP/1.1 ${STATUS[code]} ${code}\r\nContent-Type: ${CONTENT_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
