import { AppError } from '../../lib/errors.ts'
import { WINDOW_SECONDS } from '../../rate-limits/lease-requests.ts'
import type { App, AppDeps } from '../deps.ts'

/** Applies the client's rate limits and sets the RateLimit headers defined in the IETF draft. */
export function limitRates(api: App, { rateLimiter }: AppDeps): void {
  api.addHook('onRequest', async ({ caller, method, routeOptions }, reply) => {
    const rateClass = routeOptions.config.rateClass ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'submit')
    const limit = rateClass === 'read' ? caller.readsPerMinute : caller.submitsPerMinute
    const rate = await rateLimiter.take(caller.clientId, rateClass, limit)
    reply.header('ratelimit-policy', `"${rateClass}";q=${limit};w=${WINDOW_SECONDS}`)
    reply.header('ratelimit', `"${rateClass}";r=${rate.remaining};t=${rate.resetSeconds}`)
    if (rate.accepted) return
    const text = `Rate limit exceeded: ${limit} ${rateClass} requests per minute. Retry in ${rate.resetSeconds} seconds.`
    throw new AppError('rate_limited', text, { retryable: true, retryAfter: rate.resetSeconds })
  })
}
