import type { App, AppDeps } from '../deps.ts'

/** Requires an API key on every route of the scope and sets `request.caller`. */
export function requireKey(api: App, { keyRing }: AppDeps): void {
  api.addHook('onRequest', async (request) => {
    const key = request.headers['x-api-key']
    request.caller = await keyRing.authenticate(typeof key === 'string' ? key : undefined)
  })
}
