import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../auth/caller.ts'
import type { App } from './deps.ts'
import { visibleTo } from './plugins/contact-masking.ts'

const LONGEST_MS = 10 * 60_000

/** Yields a value whenever it changes, until the signal is aborted. */
export type Watch = (signal: AbortSignal) => AsyncIterable<unknown>

/**
 * Tracks the open responses with server-sent events. A response ends when the client disconnects, the server closes, or
 * ten minutes have passed.
 */
export class EventStreams {
  readonly #closing = new AbortController()

  constructor(api: App) {
    api.addHook('preClose', async () => this.#closing.abort())
  }

  /**
   * Sends server-sent events: each value as JSON, in an event with the name of its source. Calls `authenticate` before
   * every event, so that events stop when the session ends, and masks contact data as the caller's scopes require.
   */
  async *send(
    { request, raw: response }: FastifyReply,
    sources: Readonly<Record<string, Watch>>,
    authenticate: (request: FastifyRequest) => Promise<Caller>,
  ): AsyncGenerator<string> {
    const left = new AbortController()
    // Listens on the response, because with keep-alive the socket may stay open after the response ends.
    response.once('close', () => left.abort())
    const signal = AbortSignal.any([left.signal, this.#closing.signal, AbortSignal.timeout(LONGEST_MS)])
    yield 'retry: 2000\n\n'
    try {
      for await (const [name, value] of merge(sources, signal)) {
        if (signal.aborted) return
        const caller = await authenticate(request).catch(() => undefined)
        if (caller === undefined) return
        yield `event: ${name}\ndata: ${JSON.stringify(visibleTo(caller, value))}\n\n`
      }
    } finally {
      left.abort()
    }
  }
}

/**
 * Yields the latest value from each source with the source's name, until the signal is aborted. Throws the first error
 * from any source.
 */
async function* merge(
  sources: Readonly<Record<string, Watch>>,
  signal: AbortSignal,
): AsyncGenerator<[name: string, value: unknown]> {
  // A slow reader receives only each source's latest value.
  const latest = new Map<string, unknown>()
  let changed = Promise.withResolvers<void>()
  const readAll = Object.entries(sources).map(async ([name, watch]) => {
    for await (const value of watch(signal)) {
      latest.set(name, value)
      changed.resolve()
    }
  })
  const ended = Promise.all([...readAll, aborted(signal)])
  // The loop below throws the error, unless the reader has disconnected.
  ended.catch(() => undefined)
  while (!signal.aborted) {
    await Promise.race([changed.promise, ended])
    changed = Promise.withResolvers()
    const values = [...latest]
    latest.clear()
    yield* values
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
