import { fastifyStatic } from '@fastify/static'
import type { App } from '../deps.ts'
import { PAGE_HEADERS } from './page-headers.ts'

/**
 * Serves the guide below /guide, each page as HTML and, with the `.md` suffix, as Markdown. Serves the list of pages at
 * /llms.txt.
 */
export async function serveGuide(app: App, folder: string | undefined): Promise<void> {
  if (folder === undefined) return
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/guide/',
    extensions: ['html'],
    schemaHide: true,
    preCompressed: true,
    // Clients must revalidate with the ETag, because file names do not change with the content.
    cacheControl: false,
    setHeaders: (reply) => void reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-cache' }),
  })
  app.get('/guide', { schema: { hide: true } }, (_request, reply) => reply.sendFile('index.html'))
  app.get('/llms.txt', { schema: { hide: true } }, (_request, reply) => reply.sendFile('llms.txt'))
}
