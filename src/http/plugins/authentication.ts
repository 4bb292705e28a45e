import type { Scope } from '../../auth/scopes.ts'
import { requireScope } from '../../auth/scopes.ts'
import type { App, AppDeps } from '../deps.ts'

/** Requires an API key with the scope of the route on every route, and sets `request.caller`. */
export function requireKey(api: App, { keyRing }: AppDeps): void {
  api.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.scope) throw new Error(`${method} ${url} declares no scope`)
  })
  api.addHook('onRequest', async (request) => {
    const key = request.headers['x-api-key']
    request.caller = await keyRing.authenticate(typeof key === 'string' ? key : undefined)
    requireScope(request.caller, request.routeOptions.config.scope as Scope)
  })
}
