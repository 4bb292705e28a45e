import type { App, AppDeps } from '../deps.ts'

/** Every route of this scope needs an API key, and knows its caller. */
export function requireKey(api: App, { keyRing }: AppDeps): void {
  api.addHook('onRequest', async (request) => {
    const key = request.headers['x-api-key']
    request.caller = await keyRing.authenticate(typeof key === 'string' ? key : undefined)
  })
}
