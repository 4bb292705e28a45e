import { sql } from 'kysely'
import pg from 'pg'
import { DISTRIBUTED_TABLES } from '../../src/db/distribute-tables.ts'
import type { BenchService } from '../bench/bench-service.ts'
import { eventually } from './eventually.ts'

/** A statement that uses a table which Citus distributes. */
export interface Statement {
  /** The call of the interface during which the statement ran. */
  call: string
  text: string
  values: readonly unknown[]
}

const COMPANIES = ['alpha.example', 'beta.example', 'gamma.example', 'delta.example']
const [ALPHA = ''] = COMPANIES

const WRITTEN_TOGETHER = 'items that are ready together are written together, one shard per company'

/** Why the statements of a call may read several shards. */
export const REASONS: Readonly<Record<string, string>> = {
  'POST /v2/enrich/batch': WRITTEN_TOGETHER,
  'POST /v2/search/leadership': WRITTEN_TOGETHER,
  'POST /v2/discover/signals': WRITTEN_TOGETHER,
  'GET /v2/companies': 'one shard per company on the page, read in parallel',
  'POST /v2/companies/batch-read': 'one shard per requested company, read in parallel',
  'GET /v2/persons': 'one shard per company of the people on the page, read in parallel',
  'GET /v2/persons/{email_hash}/history':
    'an address can belong to people at several companies; each shard reads one index entry',
  'GET /v2/tasks/{task_id}/result': 'one shard per company of the task',
}

/** Calls of the same paths that are left out, because they are rare. */
export const RARE_CALLS: Readonly<Record<string, string>> = {
  'DELETE /v2/persons/{email_hash}': 'an erasure reads all shards',
}

/** Makes the frequent calls. Returns their names and their statements on distributed tables, each once per call. */
export async function frequentStatements(bench: BenchService): Promise<{ calls: string[]; statements: Statement[] }> {
  using capture = new Capture()
  const request = async (call: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    capture.call = call
    const response = await fetch(`${bench.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': bench.apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const reply = (await response.json()) as Record<string, unknown>
    if (!response.ok) throw new Error(`${call} failed: ${JSON.stringify(reply)}`)
    return reply
  }
  /** Submits a task, and waits for it to end, so that its enrichment counts as part of the call. */
  const submit = async (path: string, body: object): Promise<unknown> => {
    const { task_id } = await request(`POST ${path}`, path, body)
    await eventually('the tasks end', async () => {
      const { rows } = await sql`select from task where completed_at is null`.execute(bench.service.db)
      return rows.length === 0
    })
    return task_id
  }
  const groups = { include_leadership: true, include_signals: true }
  for (const force of [false, true])
    for (const domain of COMPANIES) await submit('/v2/enrich/company', { domain, force, ...groups })
  await submit('/v2/enrich/batch', { domains: COMPANIES })
  await submit('/v2/enrich/person', { email: `person1@${ALPHA}`, force: true })
  const people = await submit('/v2/search/leadership', { domains: COMPANIES })
  const news = await submit('/v2/discover/signals', { domains: COMPANIES })

  const company = `/v2/companies/${ALPHA}`
  await request('GET /v2/companies/{domain}', `${company}?include=all&include_provenance=true`)
  await request('GET /v2/companies', '/v2/companies?query=example&include=all')
  await request('POST /v2/companies/batch-read', '/v2/companies/batch-read', { domains: COMPANIES, include: 'all' })
  const listed = await request(
    'GET /v2/companies/{domain}/persons',
    `${company}/persons?include=all&include_provenance=true`,
  )
  await request('POST /v2/persons/batch-read', '/v2/persons/batch-read', { domains: COMPANIES, include: 'all' })
  await request('GET /v2/persons', `/v2/persons?company_domain=${ALPHA}&include=all`)
  await request('GET /v2/persons', '/v2/persons?query=Chief&include=all')
  const [{ email_hash, person_id } = {}] = listed['persons'] as { email_hash: string; person_id: string }[]
  await request('GET /v2/persons/{email_hash}', `/v2/persons/${email_hash}?include=all&include_provenance=true`)
  for (const query of ['', '?since=2020-01-01T00:00:00Z&order=asc']) {
    await request('GET /v2/companies/{domain}/history', `${company}/history${query}`)
    await request('GET /v2/persons/{email_hash}/history', `/v2/persons/${email_hash}/history${query}`)
    await request('GET /v2/persons/{email_hash}/history, by person_id', `/v2/persons/${person_id}/history${query}`)
  }
  await request('GET /v2/tasks', '/v2/tasks')
  await request('GET /v2/tasks/{task_id}', `/v2/tasks/${people}`)
  for (const task of [people, news]) await request('GET /v2/tasks/{task_id}/result', `/v2/tasks/${task}/result`)
  return { calls: [...capture.calls], statements: [...capture.found.values()] }
}

/** The statement as the catalogue shows it: on one line, without its middle if it is long, and with lists of any length alike. */
export function shortened(text: string): string {
  const line = text
    .replace(/\/\*.*?\*\//g, '')
    .replace(/\bin \(\$\d+(, \$\d+)*\)/g, 'in ($…)')
    .replace(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .trim()
  return line.length <= 220 ? line : `${line.slice(0, 100)} ... ${line.slice(-115)}`
}

const USES_FACTS = new RegExp(`\\b(${DISTRIBUTED_TABLES.map(({ table }) => table).join('|')})\\b`)

/** Records the statements of all connections of this process on distributed tables. */
class Capture implements Disposable {
  readonly calls = new Set<string>()
  readonly found = new Map<string, Statement>()
  readonly #original = pg.Client.prototype.query
  #call = ''

  constructor() {
    const original = this.#original as (...given: unknown[]) => unknown
    const keep = (text: string, values: readonly unknown[]) => this.#keep(text, values)
    pg.Client.prototype.query = function capturing(this: pg.Client, ...given: unknown[]) {
      const [config, values] = given as [string | { text?: string; values?: unknown[] }, unknown]
      const text = typeof config === 'string' ? config : config.text
      const parameters = (typeof config === 'string' ? undefined : config.values) ?? values
      if (text !== undefined) keep(text, Array.isArray(parameters) ? parameters : [])
      return original.apply(this, given)
    } as never
  }

  set call(name: string) {
    this.#call = name
    this.calls.add(name)
  }

  /** Keeps the longest values of a statement, which read the most shards. */
  #keep(text: string, values: readonly unknown[]): void {
    if (this.#call === '' || !USES_FACTS.test(text)) return
    const key = `${this.#call} ${shortened(text)}`
    const known = this.found.get(key)
    if (known && JSON.stringify(known.values).length >= JSON.stringify(values).length) return
    this.found.set(key, { call: this.#call, text, values })
  }

  [Symbol.dispose](): void {
    pg.Client.prototype.query = this.#original
  }
}
