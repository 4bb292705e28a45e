import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../../src/auth/api-keys.ts'
import { createClient } from '../../../src/auth/clients.ts'
import { CHROMIUM, launchBrowser } from '../../helpers/browser.ts'
import { BUILT_CONSOLE } from '../../helpers/built-console.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

const CLIENT = { id: 'talhouse-console', secret: 'a secret of the provider' }

/** Handles requests to the OpenID Connect provider once its issuer is known. */
let answer: RequestListener = (_request, reply) => reply.writeHead(503).end()
const server = createServer((request, reply) => answer(request, reply))
let service: TestService
let browser: Browser

describe.skipIf(!CHROMIUM)('single sign-on in Chromium (skipped without it)', () => {
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    service = await startService({
      consoleFolder: await BUILT_CONSOLE,
      singleSignOn: {
        issuer,
        clientId: CLIENT.id,
        clientSecret: CLIENT.secret,
        redirectUrl: '',
        talhouseClient: 'main',
      },
    })
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${service.url}/console/single-sign-on/callback`],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: false,
      cookies: { keys: ['signs the cookies of the provider'] },
      // The login name is the user's email address.
      findAccount: (_context: unknown, email: string) => ({
        accountId: email,
        claims: async () => ({
          sub: email,
          email: email === 'nameless' ? '' : email,
          email_verified: !email.startsWith('unverified'),
        }),
      }),
    })
    answer = provider.callback()
    await createClient(service.db, { client_id: 'main', name: 'Main' })
    await createApiKey(service.db, 'main', { label: 'Mia@corp.example', scopes: ['read', 'lists'] })
    await createApiKey(service.db, 'main', { scopes: ['read', 'admin'] })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service[Symbol.asyncDispose]()
    server.closeAllConnections()
    server.close()
  })

  async function signIn(email: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${service.url}/console`)
    await page.getByRole('link', { name: 'Sign in with single sign-on' }).click()
    await page.getByPlaceholder('Enter any login').fill(email)
    await page.getByPlaceholder('and password').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    return page
  }

  it("single sign-on gives a user the scopes of the key that is labeled with the user's address", async () => {
    const page = await signIn('mia@corp.example')
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    const identity = await page.evaluate(async () => await (await fetch('/v2/identity')).json())
    expect(identity).toMatchObject({ client_id: 'main', scopes: ['read', 'lists'] })
    await page.context().close()
  })

  it.each([
    ['without a key', 'stranger@corp.example', 'No API key is labeled with your email address'],
    ['whose address is not verified', 'unverified@corp.example', 'no verified email address'],
    ['without an address, beside a key without a label', 'nameless', 'no verified email address'],
  ])('single sign-on refuses a user %s', async (_name, email, message) => {
    const page = await signIn(email)
    await page.getByText(message).waitFor()
    const cookies = await page.context().cookies(`${service.url}/console`)
    expect(cookies.map(({ name }) => name)).not.toContain('talhouse_session')
    await page.context().close()
  })

  it('single sign-on refuses a callback that the browser did not start', async () => {
    const reply = await fetch(`${service.url}/console/single-sign-on/callback?code=stolen&state=guessed`, {
      redirect: 'manual',
    })
    expect(reply.headers.get('location')).toBe('/console/sign-in?problem=failed')
  })
})
