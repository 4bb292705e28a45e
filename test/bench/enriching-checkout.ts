import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { cpuSecondsOf } from '../helpers/process-cpu.ts'
import { startServer } from './start-server.ts'
import { processorSeconds } from './watch-process.ts'

/** `talhouse serve` and `talhouse work` of a checkout of this repository, with one reader process. */
export interface EnrichingCheckout extends AsyncDisposable {
  /** Enriches companies, with their people and news. */
  enrich(domains: readonly string[]): Promise<CompanyCost>
  /** Numbers of people and company fields that were found. */
  found(domains: readonly string[]): Promise<{ people: number; fields: number }>
  /** Peak resident memory so far, in megabytes. */
  readonly peakMb: { readonly reader: number; readonly worker: number }
}

/** Milliseconds per company. */
export interface CompanyCost {
  readerCpu: number
  workerCpu: number
  elapsed: number
}

/** Number of companies that the worker enriches concurrently. */
const AT_ONCE = 4
const SAMPLE_MS = 50
const PLAN = ['--units', '--reads-per-minute', '--submits-per-minute'].flatMap((option) => [option, '1000000'])

/** Starts a checkout on a database of its own. All its requests for pages are sent to `port`. Works only on Linux. */
export async function startCheckout(folder: string, databaseUrl: string, port: number): Promise<EnrichingCheckout> {
  await using stack = new AsyncDisposableStack()
  const data = await mkdtemp(join(tmpdir(), 'talhouse-bench-'))
  stack.defer(() => rm(data, { recursive: true, force: true }))
  const talhouse = join(folder, 'bin/talhouse.js')
  const settings = {
    TALHOUSE_SERVICE_DATABASE_URL: databaseUrl,
    TALHOUSE_DATA_DIR: data,
    TALHOUSE_HTTP_PORT: '0',
    TALHOUSE_LOG_LEVEL: 'error',
    TALHOUSE_FETCHING_CONNECT_TO: `::127.0.0.1:${port}`,
    TALHOUSE_FETCHING_REQUESTS_PER_SECOND: '0',
    TALHOUSE_ENRICHMENT_READING_PROCESSES: '1',
    TALHOUSE_WORK_CONCURRENCY: String(AT_ONCE),
  }
  const env = { ...process.env, ...settings }
  const run = (...args: string[]) => execFileSync(process.execPath, [talhouse, ...args], { env, encoding: 'utf8' })
  run('migrate')
  run('clients', 'create', 'Bench', '--id', 'bench', ...PLAN)
  const { key } = JSON.parse(run('keys', 'create', 'bench', '--json')) as { key: string }
  const { url } = stack.use(await startServer([talhouse, 'serve', '--json'], settings))
  const args = ['--max-semi-space-size=16', talhouse, 'work']
  const worker = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  stack.defer(async () => {
    worker.kill('SIGTERM')
    if (worker.exitCode === null) await once(worker, 'exit')
  })
  const pid = worker.pid as number
  const peakMb = { reader: 0, worker: 0 }
  const timer = setInterval(() => {
    peakMb.worker = Math.max(peakMb.worker, peakOf(pid))
    for (const child of childrenOf(pid)) peakMb.reader = Math.max(peakMb.reader, peakOf(child))
  }, SAMPLE_MS)
  stack.defer(() => clearInterval(timer))

  const call = async <Body>(path: string, body?: object): Promise<Body> => {
    const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(`${url}${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} failed in ${folder}: ${await response.text()}`)
    return (await response.json()) as Body
  }
  const rest = stack.move()
  return {
    peakMb,
    async enrich(domains) {
      const [start, before] = [performance.now(), await cpuOf(pid)]
      const tasks: string[] = []
      for (const domain of domains) {
        const body = { domain, force: true, include_leadership: true, include_signals: true }
        tasks.push((await call<{ task_id: string }>('/v2/enrich/company', body)).task_id)
      }
      for (const id of tasks)
        while (!(await call<{ completed_at: string | null }>(`/v2/tasks/${id}`)).completed_at) await wait(SAMPLE_MS)
      const [elapsed, after] = [performance.now() - start, await cpuOf(pid)]
      return {
        readerCpu: ((after.reader - before.reader) * 1000) / domains.length,
        workerCpu: ((after.worker - before.worker) * 1000) / domains.length,
        elapsed: elapsed / domains.length,
      }
    },
    async found(domains) {
      let [people, fields] = [0, 0]
      for (const domain of domains) {
        const path = `/v2/companies/${domain}?include=leadership&include_provenance=true`
        const { leadership, provenance } = await call<{ leadership: unknown[]; provenance: object }>(path)
        people += leadership.length
        fields += Object.keys(provenance).length
      }
      return { people, fields }
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}

/** CPU seconds of a worker, and of its readers, including those that have ended. */
async function cpuOf(pid: number): Promise<{ worker: number; reader: number }> {
  const worker = await processorSeconds(pid)
  const ended = (cpuSecondsOf(pid) ?? 0) - worker
  return { worker, reader: childrenOf(pid).reduce((sum, child) => sum + (cpuSecondsOf(child) ?? 0), ended) }
}

/** The child processes of a worker, which are its readers. */
const childrenOf = (pid: number): number[] =>
  textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)

/** Peak resident memory in megabytes; 0 if the process has ended. */
const peakOf = (pid: number): number => Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
