import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Caller } from '../auth/caller.ts'
import type { KeyRing } from '../auth/key-ring.ts'
import type { Db, ServiceTables } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/logger.ts'
import type { Postgres } from '../lib/postgres.ts'
import type { Queue } from '../lib/queue.ts'
import type { RateClass } from '../rate-limits/lease-requests.ts'
import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import type { Receivers } from '../webhooks/receivers.ts'
import type { SealingKeys } from '../webhooks/seal-secret.ts'

/** All that a route may touch. Tests pass their own. */
export interface AppDeps {
  db: Db
  /** The connections behind `db`, for statements that PostgreSQL keeps prepared. */
  pool: Postgres<ServiceTables>['pool']
  log: Log
  clock: Clock
  keyRing: KeyRing
  rateLimiter: RateLimiter
  /** Where submitted work is put. */
  queue: Queue
  /** Says which callback addresses may be notified. */
  receivers: Receivers
  /** Seal the secrets that notifications are signed with. */
  webhookKeys: SealingKeys
  /** What was looked up within so many days is fresh. */
  freshDays: number
}

/** The HTTP application: routes are typed by their TypeBox schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls. Set before any handler under an API key runs. */
    caller: Caller
  }
  interface FastifyContextConfig {
    /** Which of the client's limits the route draws on. @default 'read' for GET, else 'submit' */
    rateClass?: RateClass
  }
}
