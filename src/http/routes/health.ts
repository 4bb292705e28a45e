import { sql } from 'kysely'
import { Type } from 'typebox'
import { named } from '../../contract/named.ts'
import { AppError } from '../../lib/errors.ts'
import type { App, AppDeps } from '../deps.ts'

const Health = named('Health', Type.Object({ status: Type.String() }))

/** Routes for the health checks of load balancers, which require no API key. */
export function healthRoutes(app: App, { db }: AppDeps): void {
  const schema = { tags: ['health'], security: [], response: { 200: Health } }

  app.get(
    '/health/live',
    {
      schema: {
        ...schema,
        operationId: 'getLiveness',
        summary: 'Check liveness',
        description: 'Returns 200 while the process is running.',
      },
    },
    () => {
      return { status: 'live' }
    },
  )

  app.get(
    '/health/ready',
    {
      schema: {
        ...schema,
        operationId: 'getReadiness',
        summary: 'Check readiness',
        description: 'Returns 200 if the database is reachable, otherwise 503.',
      },
    },
    async () => {
      await sql`select 1`.execute(db).catch((cause: unknown) => {
        throw new AppError('unavailable', 'The database is unavailable.', { cause })
      })
      return { status: 'ready' }
    },
  )
}
