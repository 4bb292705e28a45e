import type { App } from '../deps.ts'

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/**
 * Prevents caching and MIME sniffing. By default, shared caches treat responses to requests with `Authorization` as
 * private, but not responses to requests with `X-Api-Key`.
 */
export function sendPrivateHeaders(api: App): void {
  api.addHook('onRequest', async (_request, reply) => {
    reply.headers(HEADERS)
  })
}
