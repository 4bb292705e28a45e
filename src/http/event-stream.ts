import type { FastifyRequest } from 'fastify'
import type { App } from './deps.ts'

const LONGEST_MS = 10 * 60_000

/**
 * Responses that stay open to send events. They end when the client disconnects, after ten minutes, and when the server
 * closes.
 */
export class EventStreams {
  readonly #closing = new AbortController()

  constructor(api: App) {
    api.addHook('preClose', async () => this.#closing.abort())
  }

  /**
   * Sends server-sent events: each value as JSON, in an event with this name. Calls `authenticate` before every event,
   * so that an ended session receives no more events.
   */
  async *send<Value>(
    request: FastifyRequest,
    name: string,
    watch: (signal: AbortSignal) => AsyncIterable<Value>,
    authenticate: (request: FastifyRequest) => Promise<unknown>,
  ): AsyncGenerator<string> {
    const left = new AbortController()
    request.raw.once('close', () => left.abort())
    request.raw.socket.once('close', () => left.abort())
    const signal = AbortSignal.any([left.signal, this.#closing.signal, AbortSignal.timeout(LONGEST_MS)])
    yield 'retry: 2000\n\n'
    for await (const value of watch(signal)) {
      if (signal.aborted) return
      const isAllowed = await authenticate(request).then(
        () => true,
        () => false,
      )
      if (!isAllowed) return
      yield `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`
    }
  }
}
