import type { App } from '../deps.ts'
import { HttpError } from '../problem.ts'

/** Responds with 405 and `Allow` to an unsupported method, and with 404 to an unknown path. */
export function refuseUnknownRoutes(app: App): void {
  const routes: { url: string; path: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const segments = url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replaceAll(/[^\w-]/g, '\\$&')))
    routes.push({ url, path: new RegExp(`^${segments.join('/')}$`), methods: [method].flat() })
  })
  // The check runs before the body is parsed, so that an unknown path returns 404 regardless of the body.
  app.addHook('onRequest', async (request) => {
    if (!request.is404) return
    const path = request.url.split('?', 1)[0] as string
    const matching = routes.filter((route) => route.path.test(path))
    // A literal path such as `batch-read` takes precedence over a `{domain}` parameter.
    const literal = matching.filter((route) => route.url === path)
    const allowed = new Set((literal.length > 0 ? literal : matching).flatMap((route) => route.methods))
    if (allowed.size === 0) throw new HttpError('not_found', 'Unknown path. See /docs for all endpoints.')
    const allow = [...allowed].join(', ')
    throw new HttpError('method_not_allowed', `${request.method} is not supported here; use ${allow}.`, { allow })
  })
}
