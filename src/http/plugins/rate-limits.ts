import { AppError } from '../../lib/errors.ts'
import { WINDOW_SECONDS } from '../../rate-limits/lease-requests.ts'
import type { App, AppDeps } from '../deps.ts'

/** Counts every request of a caller, tells it what is left (RateLimit header fields of the IETF draft), and refuses what is too much. */
export function limitRates(api: App, { rateLimiter }: AppDeps): void {
  api.addHook('onRequest', async ({ caller, method, routeOptions }, reply) => {
    const rateClass = routeOptions.config.rateClass ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'submit')
    const limit = rateClass === 'read' ? caller.readsPerMinute : caller.submitsPerMinute
    const rate = await rateLimiter.take(caller.clientId, rateClass, limit)
    reply.header('ratelimit-policy', `"${rateClass}";q=${limit};w=${WINDOW_SECONDS}`)
    reply.header('ratelimit', `"${rateClass}";r=${rate.remaining};t=${rate.resetSeconds}`)
    if (rate.accepted) return
    const text = `More than ${limit} ${rateClass} requests in a minute. Wait ${rate.resetSeconds} seconds.`
    throw new AppError('rate_limited', text, { retryable: true, retryAfter: rate.resetSeconds })
  })
}
