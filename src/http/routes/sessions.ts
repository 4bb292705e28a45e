import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { audited } from '../../audit/audit-log.ts'
import type { Caller } from '../../auth/caller.ts'
import { createSession, endSession, findCallerOfKey, listSessions, redeemSignInLink } from '../../auth/sessions.ts'
import type { Identity as IdentityReply } from '../../contract/sessions.ts'
import { Identity, SessionEnded, SessionList, SignIn } from '../../contract/sessions.ts'
import { AppError } from '../../lib/errors.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { errorReplies } from '../plugins/documented-errors.ts'
import { sendPrivateHeaders } from '../plugins/private-headers.ts'
import { refuseCrossSite, sessionCookie } from '../session-cookie.ts'

const tags = ['sessions']

/** Starts a session with a key or a one-time link. The request needs no API key header. */
export async function signInRoutes(app: App, deps: AppDeps): Promise<void> {
  await app.register(async (scope) => {
    const open = scope.withTypeProvider<TypeBoxTypeProvider>()
    sendPrivateHeaders(open)
    open.post(
      '/v2/sessions',
      {
        schema: {
          tags,
          operationId: 'createSession',
          summary: 'Sign in',
          description:
            "Starts a browser session with an API key or the secret of a one-time link, and sets the session cookie. The session has the key's scopes and ends when the key is revoked or expires.",
          security: [],
          body: SignIn,
          response: { 200: Identity, ...errorReplies(401, 403) },
        },
      },
      async (request, reply): Promise<IdentityReply> => {
        if (request.headers.origin !== undefined) refuseCrossSite(request)
        const caller = await identify(request.body, request.ip, deps)
        const actor = actorOf({ caller, ip: request.ip })
        const visitor = { address: request.ip, userAgent: request.headers['user-agent'] ?? null }
        const change = { action: 'session.create', target: caller.clientId }
        const { token, sessionId } = await audited(deps.db, actor, change, (trx) =>
          createSession(trx, caller.keyId, visitor),
        )
        reply.header('set-cookie', sessionCookie(request, token))
        return identityOf({ ...caller, sessionId }, deps)
      },
    )
  })
}

/** Routes for the caller's identity and sessions. Every key may call these routes. */
export function sessionRoutes(api: App, deps: AppDeps): void {
  api.get(
    '/v2/identity',
    {
      config: { scope: 'any' },
      schema: {
        tags,
        operationId: 'getIdentity',
        summary: 'Get the caller',
        description: 'Returns the client, key and scopes of the request.',
        response: { 200: Identity },
      },
    },
    async ({ caller }) => identityOf(caller, deps),
  )

  api.get(
    '/v2/sessions',
    {
      config: { scope: 'any' },
      schema: {
        tags,
        operationId: 'listSessions',
        summary: 'List sessions',
        description:
          "Returns the key's current sessions; with the `admin` scope, returns the sessions of all the client's keys.",
        response: { 200: SessionList },
      },
    },
    async ({ caller }) => ({ sessions: await listSessions(deps.db, caller) }),
  )

  api.delete(
    '/v2/sessions/:session_id',
    {
      config: { scope: 'any' },
      schema: {
        tags,
        operationId: 'endSession',
        summary: 'End a session',
        description: 'Ends a session that the caller can list. `current` is the session of the request.',
        params: Type.Object({ session_id: Type.String({ description: 'Session ID or `current`.' }) }),
        response: { 200: SessionEnded, ...errorReplies(404) },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const sessionId = params.session_id === 'current' ? currentSession(request) : params.session_id
      const change = { action: 'session.end', target: caller.clientId, details: () => ({ session_id: sessionId }) }
      await audited(deps.db, actorOf(request), change, (trx) => endSession(trx, caller, sessionId))
      if (sessionId === caller.sessionId) reply.header('set-cookie', sessionCookie(request))
      return { session_id: sessionId }
    },
  )
}

async function identify(
  { api_key, link }: { api_key?: string; link?: string },
  address: string,
  deps: AppDeps,
): Promise<Caller> {
  if ((api_key === undefined) === (link === undefined))
    throw new AppError('unprocessable', 'Send either `api_key` or `link`.')
  if (api_key !== undefined) return await deps.authenticateKey(api_key.trim(), address)
  return await findCallerOfKey(deps.db, await redeemSignInLink(deps.db, link as string))
}

function currentSession({ caller }: FastifyRequest): string {
  if (caller.sessionId !== undefined) return caller.sessionId
  throw new AppError('not_found', 'This request has no session: it was sent with an API key.')
}

const identityOf = (caller: Caller, deps: AppDeps): IdentityReply => ({
  client_id: caller.clientId,
  key_id: caller.keyId,
  scopes: [...caller.scopes],
  plan: caller.plan,
  key_expires_at: caller.expiresAt,
  session_id: caller.sessionId ?? null,
  has_warehouse: deps.warehouse !== undefined,
})
