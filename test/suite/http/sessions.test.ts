import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey, revokeApiKey } from '../../../src/auth/api-keys.ts'
import { createSignInLink } from '../../../src/auth/sessions.ts'
import type { Scope } from '../../../src/contract/scopes.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** The headers that a browser sends with a request from the console's page. */
const OWN_SITE = { 'sec-fetch-site': 'same-origin' }

async function newKey(scopes: readonly Scope[] = ['read', 'lists']) {
  return await createApiKey(service.db, service.client.client_id, { scopes })
}

const signIn = (credential: object, headers: Record<string, string> = {}) =>
  service.call('POST', '/v2/sessions', { body: credential, key: null, headers })

async function cookieOf(credential: object): Promise<string> {
  const { headers } = await signIn(credential)
  return (headers.get('set-cookie') as string).split(';')[0] as string
}

const asSession = (
  cookie: string,
  method: string,
  path: string,
  headers: Record<string, string> = OWN_SITE,
  body?: unknown,
) => service.call(method, path, { key: null, headers: { cookie, ...headers }, ...(body !== undefined && { body }) })

describe('signing in', () => {
  it('signing in sets a cookie that scripts and other sites cannot use, and returns the scopes of the key', async () => {
    const { key, key_id } = await newKey()
    const { status, headers, body } = await signIn({ api_key: key })
    expect(status).toBe(200)
    expect(headers.get('set-cookie')).toMatch(
      /^talhouse_session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Strict$/,
    )
    expect(body).toMatchObject({ key_id, scopes: ['read', 'lists'], client_id: service.client.client_id })
  })

  it('sets the Secure attribute of the session cookie behind an HTTPS proxy', async () => {
    const { key } = await newKey()
    const { headers } = await signIn({ api_key: key }, { 'x-forwarded-proto': 'https' })
    expect(headers.get('set-cookie')).toContain('; Secure')
  })

  it('accepts a sign-in link once', async () => {
    const { key_id } = await newKey()
    const link = await createSignInLink(service.db, key_id)
    expect(await signIn({ link })).toMatchObject({ status: 200, body: { key_id } })
    expect(await signIn({ link })).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })

  it('refuses a sign-in link after 30 minutes', async () => {
    const { key_id } = await newKey()
    const link = await createSignInLink(service.db, key_id)
    const { expires_at } = await service.db
      .selectFrom('sign_in_link')
      .select('expires_at')
      .where('key_id', '=', key_id)
      .executeTakeFirstOrThrow()
    const minutes = (Date.parse(expires_at) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(28)
    expect(minutes).toBeLessThan(32)
    await service.db
      .updateTable('sign_in_link')
      .set({ expires_at: '2020-01-01T00:00:00Z' })
      .where('key_id', '=', key_id)
      .execute()
    expect(await signIn({ link })).toMatchObject({ status: 401 })
  })

  it('refuses a sign-in link whose key was revoked', async () => {
    const { key_id } = await newKey()
    const link = await createSignInLink(service.db, key_id)
    await revokeApiKey(service.db, key_id)
    expect(await signIn({ link })).toMatchObject({ status: 401 })
  })

  it("refuses sign-in requests from another site's page", async () => {
    const { key } = await newKey()
    expect(await signIn({ api_key: key }, { origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      body: { code: 'cross_site' },
    })
  })

  it('refuses to sign in with a wrong key, with both a key and a link, and with neither', async () => {
    expect(await signIn({ api_key: 'thk_wrong' })).toMatchObject({ status: 401 })
    expect(await signIn({})).toMatchObject({ status: 422 })
    expect(await signIn({ api_key: 'a', link: 'b' })).toMatchObject({ status: 422 })
  })
})

describe('a session', () => {
  it('a session has the scopes of its key', async () => {
    const cookie = await cookieOf({ api_key: (await newKey(['read'])).key })
    expect(await asSession(cookie, 'GET', '/v2/usage')).toMatchObject({ status: 200 })
    const domains = { domains: ['acme.example'] }
    expect(await asSession(cookie, 'POST', '/v2/clients/me/tal/companies', OWN_SITE, domains)).toMatchObject({
      status: 403,
      body: { code: 'missing_scope' },
    })
    expect(await asSession(cookie, 'POST', '/v2/enrich/batch', OWN_SITE, domains)).toMatchObject({
      status: 403,
      body: { code: 'missing_scope' },
    })
  })

  it('a session ends with the next request after its key is revoked', async () => {
    const { key, key_id } = await newKey()
    const cookie = await cookieOf({ api_key: key })
    expect(await asSession(cookie, 'GET', '/v2/usage')).toMatchObject({ status: 200 })
    await revokeApiKey(service.db, key_id)
    expect(await asSession(cookie, 'GET', '/v2/usage')).toMatchObject({ status: 401 })
  })

  it('a session ends when its key expires', async () => {
    const { key, key_id } = await newKey()
    const cookie = await cookieOf({ api_key: key })
    await service.db
      .updateTable('api_key')
      .set({ expires_at: '2020-01-01T00:00:00Z' })
      .where('key_id', '=', key_id)
      .execute()
    expect(await asSession(cookie, 'GET', '/v2/usage')).toMatchObject({ status: 401 })
  })

  it('a session is not listed, and cannot be ended, after its key has expired', async () => {
    const { key, key_id } = await newKey()
    const ended = await cookieOf({ api_key: key })
    const { session_id } = (await asSession(ended, 'GET', '/v2/identity')).body
    const operator = await cookieOf({ api_key: (await newKey(['admin'])).key })
    await service.db
      .updateTable('api_key')
      .set({ expires_at: '2020-01-01T00:00:00Z' })
      .where('key_id', '=', key_id)
      .execute()
    const { body } = await asSession(operator, 'GET', '/v2/sessions')
    expect(body['sessions']).not.toContainEqual(expect.objectContaining({ session_id }))
    expect(await asSession(operator, 'DELETE', `/v2/sessions/${session_id}`)).toMatchObject({ status: 404 })
  })

  it('a session ends after its lifetime', async () => {
    const { key, key_id } = await newKey()
    const cookie = await cookieOf({ api_key: key })
    await service.db
      .updateTable('session')
      .set({ expires_at: '2020-01-01T00:00:00Z' })
      .where('key_id', '=', key_id)
      .execute()
    expect(await asSession(cookie, 'GET', '/v2/usage')).toMatchObject({ status: 401 })
  })

  it('a session ends when the user signs out, which also deletes the cookie', async () => {
    const cookie = await cookieOf({ api_key: (await newKey()).key })
    const { status, headers } = await asSession(cookie, 'DELETE', '/v2/sessions/current')
    expect(status).toBe(200)
    expect(headers.get('set-cookie')).toMatch(/^talhouse_session=; Path=\/; Max-Age=0/)
    expect(await asSession(cookie, 'GET', '/v2/usage')).toMatchObject({ status: 401 })
  })

  it('a session is listed, and ended, by another session of its key but not by another key', async () => {
    const { key, key_id } = await newKey()
    const [first, second] = [await cookieOf({ api_key: key }), await cookieOf({ api_key: key })]
    const other = await cookieOf({ api_key: (await newKey()).key })
    const list = await asSession(second, 'GET', '/v2/sessions')
    const sessions = list.body['sessions'] as { session_id: string; key_id: string }[]
    expect(sessions.map((session) => session.key_id)).toEqual([key_id, key_id])
    const identity = await asSession(first, 'GET', '/v2/identity')
    const path = `/v2/sessions/${identity.body['session_id']}`
    expect(await asSession(other, 'DELETE', path)).toMatchObject({ status: 404 })
    expect(await asSession(second, 'DELETE', path)).toMatchObject({ status: 200 })
    expect(await asSession(first, 'GET', '/v2/usage')).toMatchObject({ status: 401 })
    expect(await asSession(second, 'GET', '/v2/usage')).toMatchObject({ status: 200 })
  })
})

describe('requests of other sites with the cookie', () => {
  const domains = { domains: ['acme.example'] }
  const path = '/v2/clients/me/tal/companies'
  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another port of this host', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }],
    ['a browser without Sec-Fetch-Site on another site', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['an address typed by the user', { 'sec-fetch-site': 'none' }],
    ['a client that names no site', {}],
  ])('refuses requests with the session cookie from %s', async (_, headers) => {
    const cookie = await cookieOf({ api_key: (await newKey()).key })
    expect(await asSession(cookie, 'POST', path, headers, domains)).toMatchObject({
      status: 403,
      body: { code: 'cross_site' },
    })
  })

  it('accepts requests with the session cookie from the same origin, with Sec-Fetch-Site or, over plain HTTP, with Origin', async () => {
    const cookie = await cookieOf({ api_key: (await newKey()).key })
    for (const headers of [OWN_SITE, { origin: service.url }])
      expect(await asSession(cookie, 'POST', path, headers, domains)).toMatchObject({ status: 200 })
  })
})
