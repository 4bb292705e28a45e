import type { App } from '../deps.ts'
import { HttpError } from '../problem.ts'

/** A path that is there, with a method that is not: 405 and `Allow`. A path that is not there: 404. */
export function refuseUnknownRoutes(app: App): void {
  const routes: { path: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const segments = url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : RegExp.escape(part)))
    routes.push({ path: new RegExp(`^${segments.join('/')}$`), methods: [method].flat() })
  })
  // Before the body is read: a wrong address is told whatever was sent to it.
  app.addHook('onRequest', async (request) => {
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      throw new HttpError('invalid_request', 'HTTP/1.1 needs the header Host.')
    if (!request.is404) return
    const path = request.url.split('?', 1)[0] as string
    const allowed = new Set(routes.filter((route) => route.path.test(path)).flatMap((route) => route.methods))
    if (allowed.size === 0)
      throw new HttpError('not_found', 'There is nothing at this path. /docs lists what there is.')
    const allow = [...allowed].join(', ')
    throw new HttpError('method_not_allowed', `This path takes ${allow}, not ${request.method}.`, { allow })
  })
}
