import type { App } from '../deps.ts'

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/**
 * A reply under a key is its caller's alone: caches on the way know that of what `Authorization` opens, and not of `X-Api-Key`. Nor does a browser
 * take it for anything but what it is.
 */
export function sendPrivateHeaders(api: App): void {
  api.addHook('onRequest', async (_request, reply) => {
    reply.headers(HEADERS)
  })
}
