/**
 * `npm run bench -- records [companies]`: compares searches of `talhouse serve` over a million companies and three
 * million persons, eight at once, with substring searches by bare fastify and pg that return no total. Filling the
 * database takes three minutes per million companies on an idle machine, and the searches take two minutes.
 * TALHOUSE_TEST_BENCH_URL is the URL of a service database that an earlier run has filled.
 */
import { join } from 'node:path'
import { sql } from 'kysely'
import { createApiKey } from '../../src/auth/api-keys.ts'
import { createClient } from '../../src/auth/clients.ts'
import type { Db } from '../../src/db/database.ts'
import { openFilledDatabase } from './filled-database.ts'
import type { LoadResult } from './http-load.ts'
import { loadHttp } from './http-load.ts'
import { fillRecords } from './record-fill.ts'
import type { Samples, SearchKind } from './search-kinds.ts'
import { searchKinds } from './search-kinds.ts'
import type { Server } from './start-server.ts'
import { startServer, startTalhouse } from './start-server.ts'

const SECONDS = 2
const AT_ONCE = 8
/** Maximum p99 of a search in milliseconds. */
const GOAL = 50

const companies = Number(process.argv[2] ?? 1_000_000)
await using stack = new AsyncDisposableStack()
const { db, url } = stack.use(
  await openFilledDatabase(`${companies} companies and their people`, (to) => fillRecords(to, companies)),
)
const client = await createClient(db, { name: 'Bench', reads_per_minute: 1e9, submits_per_minute: 1e9 })
const { key } = await createApiKey(db, client.client_id)
const talhouse = stack.use(await startTalhouse(url))
const bare = stack.use(await startServer([join(import.meta.dirname, 'bare-search-server.ts'), url]))

const figures: Record<string, object> = {}
for (const kind of searchKinds(await sample(db))) {
  await load(talhouse, kind, 0.5)
  const ours = await load(talhouse, kind, SECONDS)
  // Bare pg scans whole tables for unusual terms, so there is no baseline.
  const theirs = kind.strange ? undefined : await load(bare, kind, SECONDS)
  figures[`${kind.path.slice(4)}: ${kind.name}`] = {
    'a second': ours.perSecond,
    p50: ours.p50,
    p99: ours.p99,
    'within 50 ms': ours.p99 <= GOAL,
    ...(theirs && { 'bare a second': theirs.perSecond, 'bare p99': theirs.p99, ratio: ratio(ours, theirs) }),
  }
}
console.table(figures)

function ratio(ours: LoadResult, theirs: LoadResult): number {
  return Math.round((ours.perSecond / theirs.perSecond) * 100) / 100
}

function load(server: Server, { path, query }: SearchKind, seconds: number): Promise<LoadResult> {
  const request = (turn: number) => ({
    method: 'GET' as const,
    path: `${path}?${new URLSearchParams(query(turn))}`,
    headers: { 'x-api-key': key },
  })
  return loadHttp(server.url, { seconds, atOnce: AT_ONCE, request })
}

async function sample(from: Db): Promise<Samples> {
  const known = await sql<Samples['companies'][number]>`
    select domain, name from company tablesample system (1) order by random() limit 1000`.execute(from)
  const people = await sql<Samples['persons'][number]>`
    select full_name, company_domain from person tablesample system (1) order by random() limit 1000`.execute(from)
  return { companies: known.rows, persons: people.rows }
}
