import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAddressList } from '../../../src/lib/address-list.ts'
import { freePort } from '../../../src/lib/embedded-postgres/free-port.ts'
import { eventually } from '../../helpers/eventually.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

const NAME = 'talhouse.example'
/** A loopback address other than the proxy's. */
const CLIENT = '127.0.0.2'
const DEPLOY = join(import.meta.dirname, '../../../deploy/proxy')
const NGINX = '/usr/sbin/nginx'
const CADDY = '/usr/bin/caddy'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talhouse-proxy-'))
  await chmod(folder, 0o755)
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`, '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...key, ...subject], { stdio: 'ignore' })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Proxied extends AsyncDisposable {
  /** Sends a request through the proxy with a forged client address. */
  get(path: string, headers?: Record<string, string>): Promise<{ status: number; body: string }>
}

const startNginx = async (service: TestService): Promise<Proxied> => {
  const port = await freePort()
  const site = (await readFile(join(DEPLOY, 'nginx.conf'), 'utf8'))
    .replace('127.0.0.1:8080', new URL(service.url).host)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('/etc/ssl/talhouse.example.pem', join(folder, 'cert.pem'))
    .replace('/etc/ssl/private/talhouse.example.key', join(folder, 'key.pem'))
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`)
  const main = `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${paths.join(' ')}\n${site} }`
  await writeFile(join(folder, 'nginx.conf'), main)
  return await proxied(spawn(NGINX, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' }), port)
}

const startCaddy = async (service: TestService): Promise<Proxied> => {
  const port = await freePort()
  const site = (await readFile(join(DEPLOY, 'Caddyfile'), 'utf8'))
    .replace('127.0.0.1:8080', new URL(service.url).host)
    .replace(`${NAME} {`, `https://${NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/cert.pem ${folder}/key.pem`)
  await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
  return await proxied(spawn(CADDY, args, { env, stdio: 'ignore' }), port)
}

async function proxied(child: ChildProcess, port: number): Promise<Proxied> {
  const ca = await readFile(join(folder, 'cert.pem'))
  const get: Proxied['get'] = async (path, headers = {}) => {
    const options = {
      host: '127.0.0.1',
      localAddress: CLIENT,
      port,
      path,
      servername: NAME,
      ca,
      headers: { host: NAME, ...headers },
    }
    const sent = request(options).end()
    const [response] = await once(sent, 'response')
    return { status: response.statusCode, body: await text(response) }
  }
  await eventually('the proxy responds', async () =>
    get('/health/live').then(
      ({ status }) => status === 200,
      () => false,
    ),
  )
  return {
    get,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

const PROXIES = [
  { name: 'nginx', program: NGINX, start: startNginx },
  { name: 'Caddy', program: CADDY, start: startCaddy },
]

describe.each(PROXIES)('behind $name with the configuration in deploy/proxy', ({ program, start }) => {
  /** Records the client addresses of authenticated requests, as the service sees them. */
  async function addressesSeenBy(trusted: readonly string[]): Promise<string[]> {
    const seen: string[] = []
    await using service = await startService({
      edges: { allowedHosts: [NAME], trustedProxies: parseAddressList('http.trusted_proxies', trusted) },
      routes: (app) => app.addHook('onRequest', async ({ ip }) => void seen.push(ip)),
    })
    await using proxy = await start(service)
    seen.length = 0
    const { status, body } = await proxy.get('/v2/usage', {
      'x-api-key': service.key,
      'x-forwarded-for': '203.0.113.7',
    })
    expect({ status, body }).toMatchObject({ status: 200, body: expect.stringContaining('units_remaining') })
    expect((await proxy.get('/v2/usage')).status).toBe(401)
    return seen
  }

  it.skipIf(!existsSync(program))(
    "behind a proxy, the API is served over TLS and uses the client's real address instead of a forged one",
    async () => {
      expect(await addressesSeenBy(['127.0.0.1'])).toEqual([CLIENT])
    },
  )

  it.skipIf(!existsSync(program))('behind an untrusted proxy, the API uses the address of the proxy', async () => {
    expect(await addressesSeenBy([])).toEqual(['127.0.0.1'])
  })
})
