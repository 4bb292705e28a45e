import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../auth/caller.ts'
import { requireScope } from '../../auth/scopes.ts'
import { authenticateSession } from '../../auth/sessions.ts'
import type { App, AppDeps } from '../deps.ts'
import { refuseCrossSite, sessionToken } from '../session-cookie.ts'

/** Requires an API key or a session with the route's scope, and sets `request.caller`. */
export function requireKey(api: App, deps: Pick<AppDeps, 'db' | 'authenticateKey'>): void {
  api.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.scope) throw new Error(`${method} ${url} declares no scope`)
  })
  api.addHook('onRequest', async (request) => {
    request.caller = await authenticate(request, deps)
    const { scope } = request.routeOptions.config
    for (const one of scope === undefined || scope === 'any' ? [] : [scope].flat()) requireScope(request.caller, one)
  })
}

/**
 * Returns a request's caller, identified by the API key or, if the request has no API key, by the session. Throws
 * `unauthenticated`, `trial_expired` and `cross_site`.
 */
export async function authenticate(
  request: FastifyRequest,
  { db, authenticateKey }: Pick<AppDeps, 'db' | 'authenticateKey'>,
): Promise<Caller> {
  const key = request.headers['x-api-key']
  const token = sessionToken(request)
  if (key !== undefined || token === undefined)
    return await authenticateKey(typeof key === 'string' ? key : undefined, request.ip)
  refuseCrossSite(request)
  return await authenticateSession(db, token)
}
