import type { RouteOptions } from 'fastify'
import { Problem } from '../../contract/problem.ts'
import type { App } from '../deps.ts'

/** The error replies that any route may give, so that no route has to list them. 402, 404 and 409 a route lists itself. */
const DESCRIPTIONS = {
  400: 'A path, a parameter or the body does not parse',
  401: 'The API key is missing, unknown or revoked',
  402: 'Not enough units',
  403: 'The trial of this client has ended',
  404: 'Not found',
  409: 'In conflict with something else',
  413: 'The body is larger than 1 MiB',
  414: 'A part of the path is longer than 500 characters',
  415: 'The body is not JSON',
  422: 'The body breaks its schema or a rule',
  429: 'Too many requests; wait as long as `Retry-After` says',
  500: 'A fault of the service',
  503: 'The database is away; wait as long as `Retry-After` says',
} as const

type ErrorStatus = keyof typeof DESCRIPTIONS

/** For `schema.response`: error replies that are the route's own, such as `...errorReplies(402)`. */
export function errorReplies<Status extends ErrorStatus>(...statuses: Status[]) {
  const reply = (status: Status) => ({
    description: DESCRIPTIONS[status],
    content: { 'application/json': { schema: { $ref: 'Problem#' } } },
  })
  return Object.fromEntries(statuses.map((status) => [status, reply(status)])) as Record<
    Status,
    ReturnType<typeof reply>
  >
}

/** Lists on every route the error replies that it may give by itself. Routes without a key say `security: []`. */
export function documentErrors(app: App): void {
  app.addSchema(Problem)
  app.addHook('onRoute', (route) => {
    if (route.schema?.hide) return
    const own = (route.schema?.response ?? {}) as object
    route.schema = { security: [{ apiKey: [] }], ...route.schema }
    route.schema.response = { ...errorReplies(...usual(route)), ...own }
  })
}

function usual({ schema, url, method }: RouteOptions): ErrorStatus[] {
  const open = schema?.security?.length === 0
  return [
    400,
    ...(open ? [] : ([401, 403, 429] as const)),
    ...(url.includes(':') ? ([414] as const) : []),
    ...(method === 'GET' ? [] : ([413, 415] as const)),
    ...(schema?.body ? ([422] as const) : []),
    500,
    503,
  ]
}
