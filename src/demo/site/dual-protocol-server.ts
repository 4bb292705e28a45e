import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import type { SecureContext } from 'node:tls'
import { LRUCache } from 'lru-cache'

/** First byte of a TLS handshake. */
const HANDSHAKE = 22
const CERTIFICATES = 200

/**
 * Creates a server for http and https on one port, so that one rule in `fetching.connect_to` covers both protocols.
 * `certify` returns a host's certificate. If `certify` throws, the handshake fails.
 */
export function createDualProtocolServer(
  listener: RequestListener,
  certify: (host: string) => Promise<SecureContext>,
): Server & AsyncDisposable {
  const contexts = new LRUCache<string, SecureContext>({ max: CERTIFICATES })
  const contextOf = async (host: string): Promise<SecureContext> => {
    const context = contexts.get(host) ?? (await certify(host))
    contexts.set(host, context)
    return context
  }
  const plain = createHttpServer(listener)
  const secure = createHttpsServer({
    SNICallback: (host, done) => void contextOf(host).then((context) => done(null, context), done),
  })
  secure.on('request', listener)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The error means that the client closed the connection.
    socket.on('error', () => socket.destroy())
    socket.once('readable', () => {
      const first = socket.read(1) as Buffer | null
      if (first === null) return
      socket.unshift(first)
      const protocol = first[0] === HANDSHAKE ? secure : plain
      protocol.emit('connection', socket)
    })
  })
  return Object.assign(server, {
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  })
}
