import type { FastifyRequest } from 'fastify'
import { SESSION_DAYS } from '../auth/sessions.ts'
import { AppError } from '../lib/errors.ts'

/** Cookies are shared by all ports on a hostname, so two services on one machine need different hostnames. */
const NAME = 'talhouse_session'
const TOKEN = new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]{43})(?:;|$)`)
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD']

/** Returns the session token from the request's cookie. */
export const sessionToken = ({ headers }: FastifyRequest): string | undefined => TOKEN.exec(headers.cookie ?? '')?.[1]

/** Returns the value of the Set-Cookie header. Without a token, the value deletes the cookie. */
export function sessionCookie(request: FastifyRequest, token?: string): string {
  const isHttps = request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https'
  const age = token === undefined ? 0 : SESSION_DAYS * 86_400
  return `${NAME}=${token ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}`
}

/**
 * Rejects requests from other origins, as reported by browsers in Sec-Fetch-Site or, over plain HTTP, in Origin.
 * SameSite does not distinguish between ports on a host. Throws `cross_site`.
 */
export function refuseCrossSite({ headers, method }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  const isSafe = SAFE_METHODS.includes(method)
  const isOwn =
    site === undefined ? isOwnOrigin(headers) || (isSafe && headers.origin === undefined) : site === 'same-origin'
  if (isOwn || (isSafe && site === 'none')) return
  throw new AppError('cross_site', 'This request comes from another site. Use the console, or send an API key.')
}

function isOwnOrigin({ origin, host }: FastifyRequest['headers']): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host
}
