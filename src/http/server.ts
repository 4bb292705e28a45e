import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ProblemCode } from './problem.ts'
import { problem, STATUS } from './problem.ts'

/** Maximum body size in bytes. The largest documented request is a batch of 1,000 domains and 1,000 emails. */
export const BODY_LIMIT = 1024 * 1024

/** Timeouts that keep slow clients from exhausting the server's connections. */
export const serverOptions = {
  /** Time from the first byte of the request to the last byte of the body. */
  requestTimeout: 10_000,
  keepAliveTimeout: 65_000,
  http: {
    headersTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 16 * 1024,
    // Disables Node's check, which responds without a body; host-header.ts performs the check instead.
    requireHostHeader: false,
  },
  routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
} as const

const MALFORMED: Record<string, [ProblemCode, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request was not received in time.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request line and headers are larger than 16 KiB.'],
}

/** Responds to malformed HTTP with the standard error body if the socket is writable. */
export function refuseMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [code, detail] = MALFORMED[error.code ?? ''] ?? ['invalid_request', 'Malformed HTTP request.']
  refuse(socket, code, detail)
}

/** Rejects CONNECT and unknown expectations with an error body, which Node's default responses lack. */
export function refuseUnsupported(server: Server): void {
  server.on('connect', (_request, socket) => refuse(socket, 'method_not_allowed', 'CONNECT is not supported.'))
  server.on('checkExpectation', (_request, response) => {
    const detail = 'The only supported expectation is 100-continue.'
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
