import { sql } from 'kysely'
import { Type } from 'typebox'
import { AppError } from '../../lib/errors.ts'
import type { App, AppDeps } from '../deps.ts'

const Health = Type.Object({ status: Type.String() })

/** For load balancers and supervisors; no key. */
export function healthRoutes(app: App, { db }: AppDeps): void {
  const schema = { tags: ['health'], security: [], response: { 200: Health } }

  app.get(
    '/health/live',
    { schema: { ...schema, operationId: 'getLiveness', summary: 'Does the process answer?' } },
    () => {
      return { status: 'live' }
    },
  )

  app.get(
    '/health/ready',
    { schema: { ...schema, operationId: 'getReadiness', summary: 'Can it serve?' } },
    async () => {
      await sql`select 1`.execute(db).catch((cause: unknown) => {
        throw new AppError('unavailable', 'The database does not answer.', { cause })
      })
      return { status: 'ready' }
    },
  )
}
