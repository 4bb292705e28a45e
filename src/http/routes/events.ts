import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { createTaskWatch } from '../../tasks/watch-tasks.ts'
import type { App, AppDeps } from '../deps.ts'
import type { Watch } from '../event-stream.ts'
import { EventStreams } from '../event-stream.ts'
import { authenticate } from '../plugins/authentication.ts'

/**
 * Route for live updates. Each browser tab uses a single stream, because browsers open at most six connections to a
 * host.
 */
export function eventRoutes(api: App, deps: AppDeps): void {
  const streams = new EventStreams(api)
  const watchTasks = createTaskWatch(deps.db)

  api.get(
    '/v2/events',
    {
      config: { scope: 'any' },
      schema: {
        tags: ['tasks'],
        operationId: 'watchEvents',
        summary: 'Watch tasks and runs',
        description:
          "Server-sent events. Each `tasks` event (scope `read`) lists the client's newest unfinished tasks and the tasks that ended in the last minute; each `runs` event (scope `warehouse`) lists the running and recently ended runs. An event is sent whenever its list changes. The stream ends after ten minutes; reconnect to continue. talhouse extension.",
        response: {
          200: { description: 'Events', content: { 'text/event-stream': { schema: Type.String() } } },
        },
      },
    },
    async (request, reply) => {
      const { scopes, clientId } = request.caller
      const { warehouse } = deps
      const watched: Record<string, Watch> = {
        ...(scopes.includes('read') && { tasks: (signal) => watchTasks(clientId, signal) }),
        ...(scopes.includes('warehouse') && warehouse && { runs: (signal) => warehouse.watchRuns(signal) }),
      }
      const events = streams.send(reply, watched, (again) => authenticate(again, deps))
      return await reply.type('text/event-stream').send(Readable.from(events) as never)
    },
  )
}
