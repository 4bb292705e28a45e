import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: IncomingHttpHeaders
  body: string
  at: number
}

export interface Receiver extends AsyncDisposable {
  url: string
  port: number
  received: Received[]
  /** Number of opened connections, with or without a request. */
  connections(): number
}

/** A receiver on 127.0.0.1. `answer` determines the response, which is 204 by default. */
export async function startReceiver(
  answer: (reply: ServerResponse, request: Received, count: number) => void = (reply) => reply.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  const server = createServer((request, reply) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const one = { headers: request.headers, body, at: Date.now() }
      received.push(one)
      answer(reply, one, received.length)
    })
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
