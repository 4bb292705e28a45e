import type { App } from '../deps.ts'

/**
 * Accepts variations that common HTTP clients send: `True` for a boolean parameter (Python), null for an absent body
 * field, and no body if every field is optional (route config `optionalBody`).
 */
export function acceptLenientInput(app: App): void {
  app.addHook('preValidation', async (request) => {
    const { optionalBody } = request.routeOptions.config
    if (optionalBody && request.body === undefined) request.body = {}
    const { properties = {} } = (request.routeOptions.schema?.querystring ?? {}) as QuerySchema
    const query = request.query as Record<string, unknown>
    for (const [name, value] of Object.entries(query))
      if (properties[name]?.type === 'boolean' && typeof value === 'string') query[name] = value.toLowerCase()
  })
  app.addHook('preHandler', async ({ body }) => {
    if (typeof body === 'object' && body !== null) deleteNulls(body as Record<string, unknown>)
  })
}

/** Deletes null fields, because null means absent. Fields in nested objects are left unchanged. */
export function deleteNulls(fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) if (value === null) delete fields[name]
}

interface QuerySchema {
  properties?: Record<string, { type?: string }>
}
