import { Agent } from 'undici'
import { AppError, messageOf, systemCode } from '../lib/errors.ts'
import type { Call, Reply, Send } from './call.ts'
import { callName } from './call.ts'

export interface Connection extends AsyncDisposable {
  send: Send
}

const MAX_REPLY_BYTES = 64 * 1024 * 1024

/** Connections to the service, kept open between requests. `baseUrl` may have a path. Closing it waits for what is under way. */
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
    `The service's address is ${JSON.stringify(text)}; it must be like https://host/path. Set TALHOUSE_SERVICE_BASE_URL.`,
  )
}

/** Half a body parses as nothing. What a proxy says in HTML is kept as text when it is an error anyway. */
function parseBody(call: Call, status: number, text: string): Reply['body'] {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (status >= 400) return { detail: text.slice(0, 200) }
    throw new AppError('upstream_failed', `${callName(call)} answered ${status} with a body that is not whole JSON.`, {
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
    `${callName(call)} got no whole answer from ${origin}: ${messageOf(error) || code}`,
    {
      cause: error,
      retryable: true,
    },
  )
}
