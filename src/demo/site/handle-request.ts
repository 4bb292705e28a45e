import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import type { Sites } from './open-sites.ts'

/** Handles a request like the web server of the requested host. */
export async function handleRequest(sites: Sites, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const host = (request.headers.host ?? '').split(':')[0] ?? ''
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  const site = sites.open(host)
  const plan = sites.plan(host)?.plan
  if (!site || !plan) return end(response, 404, 'text/plain', 'no such site in the demo web')
  if (plan.quirk === 'down') return void response.writeHead(503, { 'retry-after': '3600' }).end('back soon')
  const scheme = plan.isSecure ? 'https' : 'http'
  const used = request.socket instanceof TLSSocket ? 'https' : 'http'
  if (host !== site.host || used !== scheme)
    return void response.writeHead(301, { location: `${scheme}://${site.host}${path}` }).end()
  const found = site.responses.get(path)
  if (!found) return end(response, 404, 'text/html', '<h1>Not found</h1>')
  if (found.delay) await wait(found.delay)
  const etag = `"${createHash('sha256').update(found.body).digest('base64url').slice(0, 16)}"`
  if (found.status === 200 && request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
  const headers = { 'content-type': found.type, 'content-length': found.body.length, ...found.headers }
  response.writeHead(found.status, found.status === 200 ? { ...headers, etag } : headers)
  response.end(request.method === 'HEAD' ? undefined : found.body)
}

const end = (response: ServerResponse, status: number, type: string, body: string): void =>
  void response.writeHead(status, { 'content-type': type }).end(body)
