/** Share of the service's limit that the pipelines use, because other programs may use the same API key. */
const SHARE = 0.9
/** Maximum number of policies to follow. Services have a few. */
const MAX_POLICIES = 20

/**
 * Reads the limits in the RateLimit-Policy headers of responses (draft-ietf-httpapi-ratelimit-headers), such as
 * `"read";q=60000;w=60`: 60,000 requests in 60 seconds.
 */
export class RateLimitPolicies {
  /** Requests per second by header. */
  readonly #allowed = new Map<string, number>()

  /**
   * Returns the requests per second to send: a share of the highest limit seen, because a service may have lower limits
   * for classes of rare requests, such as submissions. Undefined if no header is readable.
   */
  follow(header: string | null): number | undefined {
    if (header !== null && !this.#allowed.has(header) && this.#allowed.size < MAX_POLICIES) {
      const allowed = readPolicies(header)
      if (allowed !== undefined) this.#allowed.set(header, allowed)
    }
    return this.#allowed.size > 0 ? SHARE * Math.max(...this.#allowed.values()) : undefined
  }
}

/** Returns the requests per second that satisfy all policies of a header. */
function readPolicies(header: string): number | undefined {
  const rates = header.split(',').flatMap((policy) => {
    const [requests, seconds] = ['q', 'w'].map((name) => Number(new RegExp(`;\\s*${name}=(\\d+)`).exec(policy)?.[1]))
    return requests && seconds ? [requests / seconds] : []
  })
  return rates.length > 0 ? Math.min(...rates) : undefined
}
