import * as oidc from 'openid-client'
import { audited } from '../../audit/audit-log.ts'
import { findKeyByLabel } from '../../auth/api-keys.ts'
import { createSignInLink } from '../../auth/sessions.ts'
import type { App, AppDeps } from '../deps.ts'
import type { SingleSignOn } from '../single-sign-on.ts'

const COOKIE = 'talhouse_single_sign_on'
const CALLBACK = '/console/single-sign-on/callback'
/** Time limit for the sign-in with the provider. */
const MINUTES = 10

/** The reason for a failed sign-in, which the sign-in page explains to the user. */
type Failure = 'failed' | 'unverified' | 'unknown'

/**
 * Adds sign-in with the authorization code flow and PKCE. The session belongs to the API key whose label is the user's
 * verified email address, and has that key's scopes. The callback creates a one-time link, so that every session starts
 * with a key or a link.
 */
export function singleSignOnRoutes(
  app: App,
  { db, log, singleSignOn: settings }: Pick<AppDeps, 'db' | 'log'> & { singleSignOn: SingleSignOn },
): void {
  const provider = discoverOnce(settings)
  const redirectOf = ({ protocol, host }: { protocol: string; host: string }) =>
    settings.redirectUrl || `${protocol}://${host}${CALLBACK}`

  app.get('/console/single-sign-on', { schema: { hide: true } }, async (request, reply) => {
    const attempt = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      redirect: redirectOf(request),
    }
    try {
      const url = oidc.buildAuthorizationUrl(await provider(), {
        redirect_uri: attempt.redirect,
        scope: 'openid email',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      })
      return await reply.header('set-cookie', cookie(request, JSON.stringify(attempt))).redirect(url.href)
    } catch (error) {
      log.warn({ err: error }, 'the OpenID Connect provider cannot be used')
      return await reply.redirect(problem('failed'))
    }
  })

  app.get(CALLBACK, { schema: { hide: true } }, async (request, reply) => {
    reply.header('set-cookie', cookie(request, ''))
    try {
      const attempt = readAttempt(request.headers.cookie)
      if (!attempt) return await reply.redirect(problem('failed'))
      const current = new URL(attempt.redirect)
      current.search = new URL(request.url, current).search
      const tokens = await oidc.authorizationCodeGrant(await provider(), current, {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
      })
      const claims = tokens.claims()
      const email = claims?.['email']
      // Some providers send an empty string for users without an email address, and keys may have an empty label.
      if (typeof email !== 'string' || !email.includes('@') || claims?.['email_verified'] !== true)
        return await reply.redirect(problem('unverified'))
      const keyId = await findKeyByLabel(db, settings.talhouseClient, email)
      if (keyId === undefined) return await reply.redirect(problem('unknown'))
      const actor = { name: `client:${settings.talhouseClient}`, keyId, address: request.ip }
      const change = { action: 'session.create_link', target: settings.talhouseClient }
      const token = await audited(db, actor, change, (trx) => createSignInLink(trx, keyId))
      return await reply.redirect(`/console/sign-in#${token}`)
    } catch (error) {
      log.warn({ err: error }, 'a sign-in with the OpenID Connect provider failed')
      return await reply.redirect(problem('failed'))
    }
  })
}

const problem = (reason: Failure): string => `/console/sign-in?problem=${reason}`

/** Discovers the provider's configuration at the first sign-in. A failed discovery is retried at the next sign-in. */
function discoverOnce({ issuer, clientId, clientSecret }: SingleSignOn): () => Promise<oidc.Configuration> {
  let known: Promise<oidc.Configuration> | undefined
  return async () => {
    // Providers with http URLs are allowed for tests and private networks.
    const execute = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []
    known ??= oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, { execute })
    try {
      return await known
    } catch (error) {
      known = undefined
      throw error
    }
  }
}

/**
 * Returns the cookie header, with SameSite=Lax because the redirect from the provider is a cross-site request. An empty
 * value deletes the cookie.
 */
function cookie({ protocol }: { protocol: string }, value: string): string {
  const age = value === '' ? 0 : MINUTES * 60
  const text = Buffer.from(value).toString('base64url')
  const secure = protocol === 'https' ? '; Secure' : ''
  return `${COOKIE}=${text}; Path=/console/single-sign-on; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`
}

interface Attempt {
  state: string
  nonce: string
  verifier: string
  redirect: string
}

function readAttempt(cookies = ''): Attempt | undefined {
  const [, text] = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)(?:;|$)`).exec(cookies) ?? []
  return text === undefined ? undefined : (JSON.parse(Buffer.from(text, 'base64url').toString()) as Attempt)
}
