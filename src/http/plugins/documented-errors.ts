import type { RouteOptions } from 'fastify'
import { Problem } from '../../contract/problem.ts'
import type { App } from '../deps.ts'

/**
 * Error responses. Routes declare the errors 402, 404, 409 and, for queries, 422. All other errors are added to every
 * route.
 */
const DESCRIPTIONS = {
  400: 'Invalid path, parameter or JSON',
  401: 'Missing, unknown or revoked API key',
  402: 'Insufficient units',
  403: 'Trial expired, or the API key lacks the scope',
  404: 'Not found',
  409: 'Conflict with the current state',
  413: 'Body larger than 1 MiB',
  414: 'Path segment longer than 500 characters',
  415: 'Body is not JSON',
  422: 'Validation failed',
  429: 'Rate limit exceeded; retry after `Retry-After` seconds',
  500: 'Internal error',
  503: 'Database unavailable; retry after `Retry-After` seconds',
} as const

type ErrorStatus = keyof typeof DESCRIPTIONS

/** Returns the error responses specific to a route, for `schema.response`: `...errorReplies(402)`. */
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

/** Adds the common error responses to every route. Routes that need no API key set `security: []`. */
export function documentErrors(app: App): void {
  app.addSchema(Problem)
  app.addHook('onRoute', (route) => {
    if (route.schema?.hide) return
    const own = (route.schema?.response ?? {}) as object
    const scope = route.config?.scope ?? 'read'
    const scopes = scope === 'any' ? [] : [scope].flat()
    route.schema = { security: [{ apiKey: scopes }, { session: scopes }], ...route.schema }
    route.schema.response = { ...errorReplies(...commonErrors(route)), ...own }
  })
}

function commonErrors({ schema, url, method }: RouteOptions): ErrorStatus[] {
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
