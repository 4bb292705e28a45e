/** Share of the service's limit that the pipelines use, because other programs may use the same API key. */
const SHARE = 0.9
/** Maximum number of policies to follow. Services usually have only a few. */
const MAX_POLICIES = 20

/**
 * Reads the limits in the RateLimit-Policy headers of responses (draft-ietf-httpapi-ratelimit-headers), such as
 * `"read";q=60000;w=60`: 60,000 requests in 60 seconds.
 */
export class RateLimitPolicies {
  /** The latest header of each request class, keyed by the names of its policies. */
  readonly #latest = new Map<string, { header: string; perSecond: number }>()

  /**
   * Returns the number of requests to send per second: a share of the highest current limit, because a service may have
   * lower limits for rarely used request classes, such as submissions. Undefined if no header is readable.
   */
  follow(header: string | null): number | undefined {
    if (header !== null) this.#read(header)
    return this.#latest.size > 0
      ? SHARE * Math.max(...[...this.#latest.values()].map(({ perSecond }) => perSecond))
      : undefined
  }

  #read(header: string): void {
    const names = header.replaceAll(/;[^,]*/g, '')
    const known = this.#latest.get(names)
    if (known?.header === header || (!known && this.#latest.size >= MAX_POLICIES)) return
    const perSecond = readPolicies(header)
    if (perSecond !== undefined) this.#latest.set(names, { header, perSecond })
  }
}

/** Returns the maximum number of requests per second that complies with all policies in a header. */
function readPolicies(header: string): number | undefined {
  const rates = header.split(',').flatMap((policy) => {
    const [requests, seconds] = ['q', 'w'].map((name) => Number(new RegExp(`;\\s*${name}=(\\d+)`).exec(policy)?.[1]))
    return requests && seconds ? [requests / seconds] : []
  })
  return rates.length > 0 ? Math.min(...rates) : undefined
}
