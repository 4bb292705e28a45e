import { PassThrough } from 'node:stream'
import type { Client } from '../client/index.ts'
import { createMcpServer } from './create-server.ts'
import { StdioServerTransport, serveStdio } from './sdk.ts'

/**
 * Serves one assistant over stdin and stdout, until stdin closes or the signal is aborted. Responds to requests
 * received before stdin closes, unless stdout is also closed.
 */
export async function serveMcpOverStdio(client: Client, version: string, signal: AbortSignal): Promise<void> {
  // The transport aborts pending requests when its input closes, so stdin's `end` event is not forwarded to it.
  const transport = new CountingTransport(process.stdin.pipe(new PassThrough(), { end: false }))
  const closed = Promise.withResolvers<void>()
  // The transport reads the last bytes from stdin before the next turn of the event loop.
  for (const event of ['end', 'close', 'error'] as const)
    process.stdin.once(event, () => setImmediate(() => transport.finish()))
  process.stdout.once('error', () => closed.resolve())
  signal.addEventListener('abort', () => closed.resolve(), { once: true })
  const server = serveStdio(() => createMcpServer(client, version), { transport })
  await Promise.race([transport.finished, closed.promise])
  await server.close()
}

type Message = Parameters<StdioServerTransport['send']>[0]

/** A transport that counts pending requests. */
class CountingTransport extends StdioServerTransport {
  readonly #open = new Set<unknown>()
  readonly #finished = Promise.withResolvers<void>()
  #isEnding = false

  /** Resolves when no more requests are expected and every request has a response. */
  readonly finished = this.#finished.promise

  override async start(): Promise<void> {
    const deliver = this.onmessage
    this.onmessage = (message) => {
      if ('method' in message && 'id' in message) this.#open.add(message.id)
      deliver?.(message)
      // A cancelled request does not receive a response.
      if ('method' in message && message.method === 'notifications/cancelled')
        this.#close(message.params?.['requestId'])
    }
    await super.start()
  }

  override async send(message: Message): Promise<void> {
    await super.send(message)
    if (!('method' in message)) this.#close(message.id)
  }

  /** Marks that no more requests are expected. */
  finish(): void {
    this.#isEnding = true
    this.#check()
  }

  #close(id: unknown): void {
    this.#open.delete(id)
    this.#check()
  }

  #check(): void {
    if (this.#isEnding && this.#open.size === 0) this.#finished.resolve()
  }
}
