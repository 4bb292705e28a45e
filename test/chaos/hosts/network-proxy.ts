import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { GATEWAY } from './network.ts'

/**
 * `open`: forwards. `held`: keeps connections and delays all bytes until the proxy is open again, like a short outage
 * that TCP retransmission covers. `lost`: keeps connections and discards all bytes, like a long outage; connections
 * are reset when the proxy is open again. In both outages, neither side sees a closed connection.
 */
export type Mode = 'open' | 'held' | 'lost'

/** The network between one host and PostgreSQL. */
export interface NetworkProxy extends AsyncDisposable {
  readonly port: number
  /** The local ports of the connections to PostgreSQL, as in `pg_stat_activity.client_port`. */
  clientPorts(): number[]
  set(mode: Mode): void
  /** Delays each forwarded chunk. */
  delay(milliseconds: number): void
  /** Forwards new connections to another server and resets the existing ones. */
  target(port: number): void
}

/** Starts a proxy that listens on the gateway and forwards to a port on 127.0.0.1. */
export async function startNetworkProxy(port: number): Promise<NetworkProxy> {
  let mode: Mode = 'open'
  let delayMs = 0
  let targetPort = port
  let opened = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const servers = new Set<Socket>()
  opened.resolve()

  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
    servers.add(far)
    far.on('close', () => servers.delete(far))
    forward(near, far)
    forward(far, near)
  }).listen(0, GATEWAY)
  await once(server, 'listening')

  function forward(from: Socket, to: Socket): void {
    sockets.add(from)
    from.on('error', () => undefined)
    from.on('close', async () => {
      sockets.delete(from)
      // During an outage, the other side does not see that a connection was closed.
      await opened.promise
      to.destroy()
    })
    let previous = Promise.resolve()
    from.on('data', (chunk) => {
      const readyAt = performance.now() + delayMs
      previous = previous.then(async () => {
        if (mode === 'lost') return
        await opened.promise
        const wait = readyAt - performance.now()
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
        if (!to.destroyed) to.write(chunk)
      })
    })
  }

  function reset(): void {
    for (const socket of sockets) socket.destroy()
  }

  return {
    port: (server.address() as AddressInfo).port,
    clientPorts: () => [...servers].flatMap(({ localPort }) => localPort ?? []),
    set(next) {
      const before = mode
      mode = next
      if (next === 'open') {
        opened.resolve()
        if (before === 'lost') reset()
      } else if (before === 'open') opened = Promise.withResolvers()
    },
    delay(milliseconds) {
      delayMs = milliseconds
    },
    target(next) {
      targetPort = next
      reset()
    },
    async [Symbol.asyncDispose]() {
      mode = 'open'
      opened.resolve()
      reset()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
