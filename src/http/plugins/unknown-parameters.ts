import { Type } from 'typebox'
import type { App } from '../deps.ts'

const NONE = Type.Object({}, { additionalProperties: false })

/** A route without parameters refuses them as every other refuses those it does not know: `?force=true` on a POST is not passed over. */
export function refuseUnknownParameters(app: App): void {
  app.addHook('onRoute', (route) => {
    // A load balancer may ask for health as it likes.
    if (!route.schema?.hide && route.schema?.security?.length !== 0)
      route.schema = { querystring: NONE, ...route.schema }
  })
}
