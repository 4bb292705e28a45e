/**
 * `npm run bench -- match [companies]`: measures `POST /v2/match/companies` of `talhouse serve` with a million
 * companies: requests with one company (by kind of query) and with 100 companies. Names contain a rare word, like real
 * names, or only frequent words. Filling the database takes minutes; TALHOUSE_TEST_BENCH_URL is the URL of a service
 * database that an earlier run has filled.
 */
import { sql } from 'kysely'
import { createApiKey } from '../../src/auth/api-keys.ts'
import { createClient } from '../../src/auth/clients.ts'
import type { Db } from '../../src/db/database.ts'
import { openFilledDatabase } from './filled-database.ts'
import { percentiles } from './http-load.ts'
import { startTalhouse } from './start-server.ts'

const REQUESTS = 100
const BATCHES = 3
/** Maximum p95 of a request with one company, in milliseconds. */
const GOAL = 50

const companies = Number(process.argv[2] ?? 1_000_000)
await using stack = new AsyncDisposableStack()
const { db, url } = stack.use(await openFilledDatabase(`${companies} companies`, fill))
const client = await createClient(db, { name: 'Bench', reads_per_minute: 1e9 })
const { key } = await createApiKey(db, client.client_id)
const talhouse = stack.use(await startTalhouse(url))

const { rows: sample } = await sql<{ domain: string; name: string }>`
  select domain, name from company tablesample system (2) repeatable (7) limit ${REQUESTS}`.execute(db)
const rare = (name: string) => name.split(' ')[2] as string
const KINDS: Record<string, (name: string) => string> = {
  'as stored': (name) => name,
  'without the last word': (name) => name.split(' ').slice(0, 3).join(' '),
  'another order': (name) => name.split(' ').toReversed().join(' '),
  'a typing error in the rare word': (name) =>
    name.replace(rare(name), `${rare(name).slice(0, 2)}x${rare(name).slice(3)}`),
  'two letters swapped in a frequent word': (name) => name.replace(/^(..)(.)(.)/, '$1$3$2'),
  'unknown, with frequent words': (name) => name.replace(rare(name), 'Qwrtzy'),
  'frequent words only': (name) => name.replace(`${rare(name)} `, ''),
}
const figures: Record<string, object> = {}
const all: number[] = []
for (const [kind, change] of Object.entries(KINDS)) {
  await request([{ name: change(sample[0]?.name as string) }])
  const times: number[] = []
  let found = 0
  for (const { domain, name } of sample) {
    const { ms, matches } = await request([{ name: change(name) }])
    times.push(ms)
    found += Number(matches[0]?.candidates[0]?.domain === domain)
  }
  all.push(...times)
  figures[kind] = { ...percentiles(times), 'found of 100': found }
}
const ofOne = percentiles(all)
figures['all requests of one company'] = ofOne
const batch = sample.map(({ name }) => ({ name }))
const batches: number[] = []
for (let turn = 0; turn < BATCHES; turn += 1) batches.push((await request(batch)).ms)
figures[`requests of ${batch.length} companies`] = percentiles(batches)
console.table(figures)
console.log(`p95 of one company within ${GOAL} ms: ${ofOne.p95 <= GOAL ? 'yes' : 'no'}`)

async function request(named: readonly { name: string }[]) {
  const start = performance.now()
  const reply = await fetch(`${talhouse.url}/v2/match/companies`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ companies: named }),
  })
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
  const { matches } = (await reply.json()) as { matches: { candidates: { domain: string }[] }[] }
  return { ms: performance.now() - start, matches }
}

/** Indexes are built at the end, which is faster. */
async function fill(to: Db): Promise<void> {
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes where tablename = 'company' and indexdef like '%USING gin%'`.execute(
    to,
  )
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(to)
  await sql`
    insert into company (is_public, domain, name, legal_name, headquarters_state)
    select true, lower(first || second || rare) || '-' || n || '.example', first || ' ' || second || ' ' || rare || ' ' || kind,
      first || ' ' || second || ' ' || rare || ' ' || kind || ' LLC', 'NY'
    from generate_series(1, ${companies}::integer) as n,
      lateral (select
        (array['Acme','Birch','Cobalt','Delta','Ember','Falcon','Granite','Harbor','Iris','Juniper','Kestrel','Lumen','Maple'])[1 + (n * 7) % 13] as first,
        (array['Bridge','Creek','Point','Stone','Field','Gate','Hill','Lake','Oak','Peak','River','Shore','Tower','Valley'])[1 + (n / 13) % 14] as second,
        (array['Capital','Advisors','Partners','Software','Logistics','Health','Energy','Foods','Media','Robotics'])[1 + (n / 182) % 10] as kind,
        initcap(substr(translate(md5(n::text), '0123456789abcdef', 'aeioutnrslmkdphv'), 1, 8)) as rare) as word`.execute(
    to,
  )
  for (const { definition } of indexes)
    await to.connection().execute(async (one) => {
      await sql`set maintenance_work_mem = '512MB'`.execute(one)
      await sql.raw(definition).execute(one)
      await sql`reset maintenance_work_mem`.execute(one)
    })
  await sql`vacuum analyze company`.execute(to)
}
