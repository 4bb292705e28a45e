import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fastifyStatic } from '@fastify/static'
import type { FastifyReply } from 'fastify'
import type { App } from '../deps.ts'
import { PAGE_HEADERS } from './page-headers.ts'

/**
 * Serves the console: its HTML page at every path below /console, and its assets, whose names contain a hash of their
 * content.
 */
export async function serveConsole(app: App, folder: string | undefined, hasSingleSignOn: boolean): Promise<void> {
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect(folder ? '/console' : '/docs'))
  if (folder === undefined) return
  // The page is read on each request, because a rebuild during development renames the assets.
  const send = async (_request: unknown, reply: FastifyReply) => {
    const page = await readFile(join(folder, 'index.html'), 'utf8')
    return await reply
      .headers({ ...PAGE_HEADERS, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      // The sign-in page offers single sign-on if this attribute is present.
      .send(hasSingleSignOn ? page.replace('<html', '<html data-single-sign-on') : page)
  }
  app.get('/console', { schema: { hide: true } }, send)
  app.get('/console/*', { schema: { hide: true } }, send)
  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/console/assets/',
    schemaHide: true,
    decorateReply: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    setHeaders: (reply) => void reply.headers(PAGE_HEADERS),
  })
}
