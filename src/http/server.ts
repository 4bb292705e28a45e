import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { ProblemCode } from './problem.ts'
import { problem, STATUS } from './problem.ts'

/** 1 MiB: a thousand times the largest sensible request. */
export const BODY_LIMIT = 1024 * 1024

/** A client has this long; one that dribbles is cut, so that it cannot hold what others need. */
export const serverOptions = {
  /** From the first byte to the last of the body. */
  requestTimeout: 10_000,
  keepAliveTimeout: 65_000,
  http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16 * 1024 },
  routerOptions: { maxParamLength: 500, ignoreTrailingSlash: false },
} as const

const MALFORMED: Record<string, [ProblemCode, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request line and headers are larger than 16 KiB.'],
}

/** What is not HTTP gets the same error body as everything else, as far as the socket still takes it. */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [code, detail] = MALFORMED[error.code ?? ''] ?? ['invalid_request', 'This is not a valid HTTP request.']
  const body = JSON.stringify(problem(code, detail, randomUUID()))
  socket.end(
    `HTTP/1.1 ${STATUS[code]} ${code}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
