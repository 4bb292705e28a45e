import { createApiKey } from '../../src/auth/api-keys.ts'
import { createClient } from '../../src/auth/clients.ts'
import type { Command } from '../../src/cli/support/command.ts'
import { openHttpService } from '../../src/cli/support/http-service.ts'
import { openWorker } from '../../src/cli/support/work-service.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { ServiceTables } from '../../src/db/database.ts'
import type { DemoWeb } from '../../src/demo/start-demo-web.ts'
import { sleep } from '../../src/lib/backoff.ts'
import type { Log } from '../../src/lib/logger.ts'
import { silentLog } from '../../src/lib/logger.ts'
import type { Postgres } from '../../src/lib/postgres.ts'

/** The service and its worker, wired as in the commands, with one caller that has unlimited units. */
export interface EnrichingService extends AsyncDisposable {
  url: string
  /** Sends a request and returns the parsed response. Throws for statuses other than 2xx. */
  call<Body>(method: string, path: string, body?: object): Promise<Body>
  /** Requests every kind of enrichment for each domain and waits for all tasks. Returns the tasks by domain. */
  enrich(domains: readonly string[], more?: object): Promise<Map<string, string>>
}

export interface EnrichingOptions {
  service: Postgres<ServiceTables>
  /** Settings as environment variables, such as TALHOUSE_FETCHING_CONNECT_TO. */
  settings: Record<string, string>
  log?: Log
}

/** Settings that route requests to a demo web. Without `isPolite`, the hosts of the demo web have no rate limit. */
export const demoSettings = (
  { connectTo, authorityFile }: Pick<DemoWeb, 'connectTo' | 'authorityFile'>,
  { isPolite = false } = {},
): Record<string, string> => ({
  TALHOUSE_FETCHING_CONNECT_TO: connectTo.join(','),
  TALHOUSE_FETCHING_EXTRA_CA_FILES: authorityFile,
  ...(!isPolite && { TALHOUSE_FETCHING_OWN_HOSTS: '*.example' }),
})

const ALL = { include_leadership: true, include_signals: true }
const PLENTY = 1_000_000_000

export async function startEnriching({
  service,
  settings,
  log = silentLog,
}: EnrichingOptions): Promise<EnrichingService> {
  await using stack = new AsyncDisposableStack()
  const config = loadConfig({ TALHOUSE_HTTP_PORT: '0', TALHOUSE_WORK_GRACE_SECONDS: '1', ...settings })
  const command: Command = {
    config,
    log,
    signal: new AbortController().signal,
    out: { result() {}, line() {}, note() {}, width: 100 },
    createsDatabases: true,
    json: false,
  }
  const { url } = stack.use(await openHttpService(command, service))
  stack.use(openWorker(command, service))
  const client = await createClient(service.db, {
    name: 'Caller',
    units_per_period: PLENTY,
    reads_per_minute: PLENTY,
    submits_per_minute: PLENTY,
  })
  const { key } = await createApiKey(service.db, client.client_id)

  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const reply = await fetch(url + path, {
      method,
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as Body
  }
  const rest = stack.move()
  return {
    url,
    call,
    async enrich(domains, more = {}) {
      const tasks = new Map<string, string>()
      for (const domain of domains) {
        const { task_id } = await call<{ task_id: string }>('POST', '/v2/enrich/company', { domain, ...ALL, ...more })
        tasks.set(domain, task_id)
      }
      for (const id of tasks.values())
        while (!(await call<{ completed_at: string | null }>('GET', `/v2/tasks/${id}`)).completed_at) await sleep(100)
      return tasks
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}
