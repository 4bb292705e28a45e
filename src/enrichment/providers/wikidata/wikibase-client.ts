import type { Clock } from '../../../lib/clock.ts'
import type { Fetcher } from '../../fetching/fetcher.ts'
import type { Entity } from './entity.ts'

/** Thrown if the Wikibase is temporarily unavailable. */
export class WikibaseUnavailable extends Error {
  override readonly name = 'WikibaseUnavailable'
}

/** Pause after a failure without a Retry-After header. */
const DEFAULT_PAUSE_SECONDS = 60
const MAX_LABELS = 5000

/**
 * A client for a Wikibase's action API. The fetcher limits the client's request rate. After failures, maxlag errors and
 * responses with Retry-After, the client temporarily rejects requests.
 */
export class WikibaseClient {
  readonly #fetcher: Fetcher
  readonly #baseUrl: string
  readonly #clock: Clock
  readonly #labels = new Map<string, string>()
  #pausedUntil = 0

  constructor(fetcher: Fetcher, baseUrl: string, clock: Clock) {
    this.#fetcher = fetcher
    this.#baseUrl = baseUrl.replace(/\/+$/, '')
    this.#clock = clock
  }

  /** Returns the IDs of the entities that have one of these values for a property. */
  async findByStatement(property: string, values: readonly string[], signal: AbortSignal): Promise<string[]> {
    const search = `haswbstatement:${values.map((value) => `${property}=${value}`).join('|')}`
    const reply = await this.#query<{ query?: { search?: { title: string }[] } }>(
      { action: 'query', list: 'search', srsearch: search, srnamespace: '0', srlimit: '10', srinfo: '', srprop: '' },
      signal,
    )
    return (reply.query?.search ?? []).map(({ title }) => title).filter((title) => /^Q\d+$/.test(title))
  }

  async entities(ids: readonly string[], signal: AbortSignal): Promise<Entity[]> {
    if (ids.length === 0) return []
    const reply = await this.#query<{ entities?: Record<string, Entity> }>(
      { action: 'wbgetentities', ids: ids.join('|'), props: 'labels|claims', languages: 'en|mul' },
      signal,
    )
    return Object.values(reply.entities ?? {})
  }

  /** Returns English labels by entity ID. Caches them. */
  async labels(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const unknown = [...new Set(ids)].filter((id) => !this.#labels.has(id)).slice(0, 50)
    if (unknown.length > 0) {
      const reply = await this.#query<{ entities?: Record<string, Entity> }>(
        { action: 'wbgetentities', ids: unknown.join('|'), props: 'labels', languages: 'en' },
        signal,
      )
      if (this.#labels.size > MAX_LABELS) this.#labels.clear()
      for (const [id, { labels }] of Object.entries(reply.entities ?? {}))
        if (labels?.['en']) this.#labels.set(id, labels['en'].value)
    }
    return this.#labels
  }

  async #query<Reply>(query: Record<string, string>, signal: AbortSignal): Promise<Reply> {
    const now = this.#clock.now().getTime()
    if (now < this.#pausedUntil)
      throw new WikibaseUnavailable(`paused until ${new Date(this.#pausedUntil).toISOString()}`)
    const parameters = new URLSearchParams({ ...query, format: 'json', formatversion: '2', maxlag: '5' })
    const fetched = await this.#fetcher.get(`${this.#baseUrl}/w/api.php?${parameters}`, {
      signal,
      accept: 'application/json',
      isApi: true,
    })
    if (fetched.outcome !== 'page') {
      if (fetched.outcome === 'unavailable')
        this.#pausedUntil = now + (fetched.retryAfter ?? DEFAULT_PAUSE_SECONDS) * 1000
      throw new WikibaseUnavailable(fetched.reason)
    }
    const reply = JSON.parse(fetched.text()) as Reply & { error?: { code?: string; info?: string } }
    if (!reply.error) return reply
    if (reply.error.code === 'maxlag' || reply.error.code === 'ratelimited')
      this.#pausedUntil = now + DEFAULT_PAUSE_SECONDS * 1000
    throw new WikibaseUnavailable(reply.error.info ?? reply.error.code ?? 'the API returned an error')
  }
}
