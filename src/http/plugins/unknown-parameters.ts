import { Type } from 'typebox'
import type { App } from '../deps.ts'

const NONE = Type.Object({}, { additionalProperties: false })

/** Rejects query parameters on routes that declare none, such as `?force=true` on a POST. */
export function refuseUnknownParameters(app: App): void {
  app.addHook('onRoute', (route) => {
    // Health checks accept any query.
    if (!route.schema?.hide && route.schema?.security?.length !== 0)
      route.schema = { querystring: NONE, ...route.schema }
  })
}
