import { Agent } from 'undici'
import { AppError, messageOf, systemCode } from '../lib/errors.ts'
import type { Call, Reply, Send } from './call.ts'
import { callName } from './call.ts'

export interface Connection extends AsyncDisposable {
  send: Send
}

const MAX_REPLY_BYTES = 64 * 1024 * 1024

/** Keep-alive connections to the service. `baseUrl` may have a path. Disposal waits for requests in progress. */
export function connect(baseUrl: string, apiKey: string, connections: number): Connection {
  const base = parseBaseUrl(baseUrl)
  const agent = new Agent({ connections, maxResponseSize: MAX_REPLY_BYTES, keepAliveTimeout: 30_000 })
  const prefix = base.pathname.replace(/\/$/, '')
  const send: Send = async (call) => {
    const body = call.body === undefined ? null : JSON.stringify(call.body)
    const {
      statusCode,
      headers,
      body: stream,
    } = await agent
      .request({
        origin: base.origin,
        path: prefix + call.path,
        method: call.method,
        headers: {
          'x-api-key': apiKey,
          accept: 'application/json',
          ...(body !== null && { 'content-type': 'application/json' }),
          ...call.headers,
        },
        body,
        ...(call.signal && { signal: call.signal }),
      })
      .catch((error: unknown) => unreachable(call, base.origin, error))
    const text = await stream.text().catch((error: unknown) => unreachable(call, base.origin, error))
    return { status: statusCode, headers, body: parseBody(call, statusCode, text) }
  }
  return { send, [Symbol.asyncDispose]: () => agent.close() }
}

function parseBaseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new AppError(
    'configuration',
    `Invalid base URL ${JSON.stringify(text)}: use https://host/path. Set TALHOUSE_SERVICE_BASE_URL.`,
  )
}

/** Throws for a truncated body of a successful response. An error body that is not JSON, such as a proxy's HTML, becomes `detail`. */
function parseBody(call: Call, status: number, text: string): Reply['body'] {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (status >= 400) return { detail: text.slice(0, 200) }
    throw new AppError('upstream_failed', `${callName(call)} returned ${status} with invalid JSON.`, {
      cause: error,
      retryable: true,
    })
  }
}

function unreachable(call: Call, origin: string, error: unknown): never {
  call.signal?.throwIfAborted()
  const code = systemCode(error)
  throw new AppError(
    'upstream_failed',
    `${callName(call)} failed without a complete response from ${origin}: ${messageOf(error) || code}`,
    {
      cause: error,
      retryable: true,
    },
  )
}
