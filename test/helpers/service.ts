import { createApiKey } from '../../src/auth/api-keys.ts'
import type { Client, ClientPlan } from '../../src/auth/clients.ts'
import { createClient } from '../../src/auth/clients.ts'
import { throttleInvalidKeys } from '../../src/auth/invalid-keys.ts'
import { KeyRing } from '../../src/auth/key-ring.ts'
import type { Scope } from '../../src/contract/scopes.ts'
import { SCOPES } from '../../src/contract/scopes.ts'
import type { Db, ServiceTables } from '../../src/db/database.ts'
import { createApp } from '../../src/http/app.ts'
import type { App, AppDeps } from '../../src/http/deps.ts'
import { listen } from '../../src/http/listen.ts'
import { createReadStale } from '../../src/http/read-stale.ts'
import type { SingleSignOn } from '../../src/http/single-sign-on.ts'
import type { Warehouse } from '../../src/http/warehouse.ts'
import type { Log } from '../../src/lib/logger.ts'
import { silentLog } from '../../src/lib/logger.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { openPostgres } from '../../src/lib/postgres.ts'
import type { Queue } from '../../src/lib/queue.ts'
import { openQueue } from '../../src/lib/queue.ts'
import type { Replica } from '../../src/lib/replica.ts'
import { RateLimiter } from '../../src/rate-limits/rate-limiter.ts'
import type { ReceiverOptions, Receivers } from '../../src/webhooks/receivers.ts'
import { openReceivers } from '../../src/webhooks/receivers.ts'
import { QUEUES } from '../../src/worker/worker.ts'
import { logCall } from './call-log.ts'
import { testDatabase } from './database.ts'
import type { Edges } from './open-edges.ts'
import { OPEN_EDGES, UNLIMITED_KEYS } from './open-edges.ts'
import type { PublishedContract } from './published-contract.ts'
import { publishedContract } from './published-contract.ts'
import { WEBHOOK_KEYS } from './webhook-keys.ts'

/** Settings with the longest value and variable, one without a value, and a secret. */
const SETTINGS: AppDeps['settings'] = [
  { name: 'http.port', variable: 'TALHOUSE_HTTP_PORT', value: 8080, source: 'default' },
  {
    name: 'enrichment.news.gdelt.base_url',
    variable: 'TALHOUSE_ENRICHMENT_NEWS_GDELT_BASE_URL',
    value: 'https://api.gdeltproject.org/api/v2/doc/doc',
    source: 'default',
  },
  {
    name: 'enrichment.second_opinion.timeout_seconds',
    variable: 'TALHOUSE_ENRICHMENT_SECOND_OPINION_TIMEOUT_SECONDS',
    value: 10,
    source: 'default',
  },
  {
    name: 'pipelines.host.words.enrichment_status',
    variable: 'TALHOUSE_PIPELINES_HOST_WORDS_ENRICHMENT_STATUS',
    value: null,
    source: 'default',
  },
  { name: 'service_api_key', variable: 'TALHOUSE_SERVICE_API_KEY', value: null, source: 'environment' },
]

export interface Reply<Body> {
  status: number
  headers: Headers
  body: Body
}

export interface RequestInput {
  /** Body of the request, sent as JSON; a string is sent unchanged. */
  body?: unknown
  headers?: Record<string, string>
  /** API key to send; null sends none. @default the caller's key */
  key?: string | null
}

/** A client with an API key. */
export interface TestCaller {
  client: Client
  key: string
  /**
   * Sends a request and validates the response against the OpenAPI document: `await caller.call('GET', '/v2/usage')`.
   */
  call<Body = Record<string, unknown>>(method: string, path: string, input?: RequestInput): Promise<Reply<Body>>
}

/** The service on a free port with a separate database and one client. */
export interface TestService extends AsyncDisposable, TestCaller, Pick<PublishedContract, 'document'> {
  db: Db
  queue: Queue
  receivers: Receivers
  postgres: Postgres<ServiceTables>
  app: App
  deps: AppDeps
  url: string
  /** Creates another client with a key. */
  addCaller(plan?: ClientPlan, scopes?: readonly Scope[]): Promise<TestCaller>
}

export interface ServiceOptions {
  log?: Log
  plan?: ClientPlan
  /** Allowed webhook destinations. @default anywhere */
  webhooks?: Partial<ReceiverOptions>
  /** Additional unauthenticated routes for behavior that no real route has. */
  routes?: (app: App) => void
  /** HTTP edge settings. @default any host, no proxy, metrics for loopback */
  edges?: Partial<Edges>
  /** @default unlimited */
  invalidKeysPerMinute?: number
  /** Returns the database URL for the HTTP service, so that a test can interrupt the connection. */
  /** Runs reads that may be stale. @default none */
  replica?: (postgres: Postgres<ServiceTables>) => Pick<Replica<ServiceTables>, 'read'>
  throughProxy?: (databaseUrl: string) => Promise<string>
  /** The warehouse from which the service serves `/v2/warehouse`. */
  warehouse?: Warehouse
  /** The folder from which the service serves `/console`. */
  consoleFolder?: string
  singleSignOn?: SingleSignOn
  /** The folder from which the service serves `/guide`. */
  guideFolder?: string
}

export async function startService({
  log = silentLog,
  plan,
  webhooks,
  routes,
  throughProxy,
  replica,
  warehouse,
  consoleFolder,
  singleSignOn,
  guideFolder,
  edges,
  invalidKeysPerMinute = UNLIMITED_KEYS,
}: ServiceOptions = {}): Promise<TestService> {
  await using stack = new AsyncDisposableStack()
  const postgres = stack.use(await testDatabase<ServiceTables>('service'))
  const { db, pool } = throughProxy
    ? stack.use(openPostgres<ServiceTables>(await throughProxy(postgres.url), { log, name: 'test' }))
    : postgres
  const keyRing = stack.use(new KeyRing(db))
  const queue = stack.use(await openQueue(postgres.url, { log, queues: QUEUES, supervise: true }))
  const receivers = stack.use(openReceivers({ allowHttp: true, allowPrivate: true, ports: [], ...webhooks }))
  const rateLimiter = new RateLimiter(db)
  const deps: AppDeps = {
    db,
    readStale: createReadStale({ db, pool }, replica?.(postgres)),
    log,
    authenticateKey: throttleInvalidKeys(keyRing, rateLimiter, invalidKeysPerMinute),
    rateLimiter,
    queue,
    receivers,
    webhookKeys: WEBHOOK_KEYS,
    freshDays: 30,
    settings: SETTINGS,
    warehouse,
    consoleFolder,
    singleSignOn,
    guideFolder,
    ...OPEN_EDGES,
    ...edges,
  }
  const app = await createApp(deps)
  routes?.(app)
  const { url } = stack.use(await listen(app, { host: '127.0.0.1', port: 0 }))
  const { contract, document } = publishedContract(app)
  const addCaller = async (plan?: ClientPlan, scopes: readonly Scope[] = SCOPES): Promise<TestCaller> => {
    const client = await createClient(db, { name: 'Test', ...plan })
    const { key } = await createApiKey(db, client.client_id, { scopes })
    return { client, key, call: (method, path, input) => send({ url, contract, document, key }, method, path, input) }
  }
  const caller = await addCaller(plan)
  const rest = stack.move()
  return {
    ...caller,
    postgres,
    db: postgres.db,
    queue,
    receivers,
    app,
    deps,
    document,
    url,
    addCaller,
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}

interface Target extends PublishedContract {
  url: string
  key: string
}

async function send<Body>(
  target: Target,
  method: string,
  path: string,
  input: RequestInput = {},
): Promise<Reply<Body>> {
  const { body, headers, key = target.key } = input
  const reply = await fetch(target.url + path, {
    method,
    headers: {
      ...(key !== null && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await reply.text()
  const isJson = reply.headers.get('content-type')?.startsWith('application/json')
  const parsed = (isJson ? JSON.parse(text) : text) as Body
  target.contract.check(method, path, reply.status, parsed)
  logCall(target.document, { method, path, headers: headers ?? {}, body, status: reply.status, reply: parsed })
  return { status: reply.status, headers: reply.headers, body: parsed }
}
