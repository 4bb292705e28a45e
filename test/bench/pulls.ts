/**
 * npm run bench -- pulls [ROUNDS] [MEMBERS] [ROSTER]: pulls all firms in a roster, and all members of a list (default:
 * 1,000) with their companies and people, from talhouse's service into PostgreSQL, first into an empty warehouse and
 * again without changes. Compares talhouse's built package, dlt as documented (stock), tuned dlt and a Singer tap and
 * target with two lower bounds: talhouse's requests with the responses discarded, and a bare COPY of the rows. Each
 * round reverses the order of the contenders. Prints one table with the medians over the rounds (default: 2), including
 * program startup. dlt and Singer are skipped if Python or PyPI is not available.
 */
import { execFileSync } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FirmFieldType } from '../../src/contract/firm-fields.ts'
import { FIRM_FIELD_NAMES, FIRM_FIELDS } from '../../src/contract/firm-fields.ts'
import { chunk } from '../../src/lib/chunk.ts'
import { copyOut } from '../../src/lib/copy.ts'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { ensureDatabase, openPostgres } from '../../src/lib/postgres.ts'
import { askDatabase } from '../helpers/cloned-database.ts'
import { pythonWith } from '../helpers/installed-programs.ts'
import { SHARED_ROSTERS } from '../helpers/shared-data.ts'
import { domainNames } from '../helpers/submissions.ts'
import type { BareRequest } from './bare-pull.ts'
import { buildPackage } from './built-package.ts'
import { enrichMembers } from './enrich-members.ts'
import { median } from './measure.ts'
import { startTalhouse } from './start-server.ts'
import { runWatched } from './watched-process.ts'

const BARE = join(import.meta.dirname, 'bare-pull.ts')
const RANGES = 8
const FIRM_PAGE = 50
const LIST_PAGE = 1000
const MEMBER_BATCH = 100
const rounds = Number(process.argv[2] ?? 2)
const members = Number(process.argv[3] ?? 1000)
const roster = process.argv[4] ?? join(SHARED_ROSTERS, 'ia100322.zip')

const PULLS = {
  firms: { pipeline: 'firms', tables: ['firm'] },
  members: { pipeline: 'tal-members', tables: ['tal_member', 'company', 'person'] },
} as const
type Pull = keyof typeof PULLS
const TABLES = Object.values(PULLS).flatMap(({ tables }) => tables)

/** A program that pulls firms or members. It runs twice if the second run has less to do. */
interface Contender {
  pull: Pull
  name: string
  command: string
  args: string[]
  env: (database: string) => Record<string, string>
  isLimit: boolean
  /** The schema of the pulled tables; undefined if the program writes no rows. */
  schema: string | undefined
}

interface Figures {
  seconds: number
  cpu: number
  peakMb: number
}

interface Turns extends Pick<Contender, 'pull' | 'name'> {
  first: Figures[]
  again: Figures[]
}

if (existsSync(roster)) await compare()
else console.log(`skipped: there is no roster ${roster}; name one: npm run bench -- pulls ${rounds} ${members} FILE`)

async function compare(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-bench-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const server = stack.use(await startEmbeddedPostgres({ dataDir, port: 0 }))
  const main = await buildPackage(join(dataDir, 'package'))
  const base = { TALHOUSE_DATA_DIR: dataDir, TALHOUSE_LOG_LEVEL: 'error' }
  execFileSync(process.execPath, [main, 'firms', 'import', roster], {
    env: { ...process.env, ...base, TALHOUSE_SERVICE_DATABASE_URL: server.url('service') },
  })
  const apiKey = await enrichMembers(server.url('service'), members)
  const service = stack.use(await startTalhouse(server.url('service')))
  const talhouse = (database: string) => ({
    ...base,
    TALHOUSE_SERVICE_BASE_URL: service.url,
    TALHOUSE_SERVICE_API_KEY: apiKey,
    TALHOUSE_WAREHOUSE_DATABASE_URL: server.url(database),
    TALHOUSE_PIPELINES_REQUESTS_PER_SECOND: '0',
  })
  // Warms the caches for all contenders, and provides the files for the limits.
  for (const pull of Object.values(PULLS))
    execFileSync(process.execPath, [main, 'run', pull.pipeline], { env: { ...process.env, ...talhouse('warm') } })
  const folder = join(dataDir, 'bare')
  const keys = await writeFiles(server.url('warm'), folder)
  const expected = await countRows(server.url('warm'), 'warehouse', TABLES)
  const bench = (database: string) => ({
    BENCH_BASE_URL: service.url,
    BENCH_API_KEY: apiKey,
    BENCH_FOLDER: join(dataDir, database),
    BENCH_WAREHOUSE_URL: server.url(database),
  })
  const dlt = (database: string) => ({
    ...bench(database),
    BENCH_FIRM_FIELDS: JSON.stringify([...FIRM_FIELD_NAMES, 'as_of']),
    BENCH_RANGES: JSON.stringify(rangesOf(keys)),
    RUNTIME__DLTHUB_TELEMETRY: 'false',
    RUNTIME__LOG_LEVEL: 'ERROR',
  })
  const singer = (database: string) => ({
    ...bench(database),
    BENCH_FIRM_SCHEMA: JSON.stringify(singerSchema()),
    TAP_BENCH_LOGLEVEL: 'ERROR',
  })
  const script = (program: string) => join(import.meta.dirname, program, 'pull.py')
  const dltPython = pythonWith('bench-dlt', join(import.meta.dirname, 'dlt/requirements.txt'))
  const singerPython = pythonWith('bench-singer', join(import.meta.dirname, 'singer/requirements.txt'))
  const contenders = (Object.keys(PULLS) as Pull[]).flatMap((pull): Contender[] => {
    const { pipeline: name, tables } = PULLS[pull]
    const node = { pull, command: process.execPath, isLimit: true, env: bench }
    const byDlt = { pull, command: join(dltPython ?? '', 'python'), isLimit: false, env: dlt, schema: 'dlt_bench' }
    const bySinger = { ...byDlt, command: join(singerPython ?? '', 'python'), env: singer, schema: 'singer_bench' }
    return [
      {
        ...node,
        name: 'talhouse',
        args: ['--max-semi-space-size=16', main, 'run', name, '--json'],
        env: talhouse,
        isLimit: false,
        schema: 'warehouse',
      },
      ...(dltPython
        ? ['stock', 'tuned'].map((how) => ({ ...byDlt, name: `dlt, ${how}`, args: [script('dlt'), pull, how] }))
        : []),
      ...(singerPython ? [{ ...bySinger, name: 'Singer', args: [script('singer'), pull] }] : []),
      { ...node, name: 'bare requests', args: [BARE, 'requests', join(folder, `${pull}.json`)], schema: undefined },
      { ...node, name: 'bare COPY', args: [BARE, 'copy', folder, ...tables], schema: 'bare' },
    ]
  })
  const turns = contenders.map(({ pull, name }): Turns => ({ pull, name, first: [], again: [] }))
  const load = loadavg()[0] ?? Number.NaN
  for (let round = 0; round < rounds; round += 1)
    for (const [place, contender] of round % 2 === 0
      ? [...contenders.entries()]
      : [...contenders.entries()].toReversed()) {
      const database = `round_${round}_${place}`
      const url = server.url(database)
      const { tables } = PULLS[contender.pull]
      await ensureDatabase(url)
      if (contender.schema === 'bare') await createBareTables(server.url('warm'), url, tables)
      turns[place]?.first.push(await runOnce(contender, database))
      if (!contender.isLimit) turns[place]?.again.push(await runOnce(contender, database))
      if (contender.schema) await expectRows(contender, await countRows(url, contender.schema, tables), expected)
    }
  console.log(table(expected, turns, load))
}

/** Writes the requests of each pull, and the rows of each table as CSV. Returns the SEC numbers, highest first. */
async function writeFiles(url: string, folder: string): Promise<string[]> {
  await mkdir(folder)
  await using warehouse = openPostgres(url, { log: silentLog, name: 'bench', connections: 1 })
  const client = await warehouse.pool.connect()
  for (const table of TABLES)
    await pipeline(
      copyOut(client, `select * from warehouse.${table}`, { header: false }).stream,
      createWriteStream(join(folder, `${table}.csv`)),
    )
  const { rows } = await client.query<{ key: string }>('select sec_number as key from warehouse.firm order by 1 desc')
  client.release()
  const keys = rows.map(({ key }) => key)
  const query = { select: [...FIRM_FIELD_NAMES, 'as_of'], order: 'sec_number.desc', limit: FIRM_PAGE }
  const pages = Array.from({ length: Math.ceil(keys.length / FIRM_PAGE) }, (_, page): BareRequest => {
    const filters = page > 0 && { filters: { sec_number: `lt.${keys[page * FIRM_PAGE - 1]}` } }
    return { path: '/firms', body: { ...query, ...filters } }
  })
  const listPages = Array.from({ length: Math.ceil(members / LIST_PAGE) }, (_, page): BareRequest => {
    return { path: `/v2/clients/me/tal/companies?limit=${LIST_PAGE}&offset=${page * LIST_PAGE}` }
  })
  const records = chunk(domainNames(members), MEMBER_BATCH).flatMap((domains): BareRequest[] => [
    { path: '/v2/companies/batch-read', body: { domains, include: 'leadership,signals' } },
    { path: '/v2/persons/batch-read', body: { domains, include: 'contact' } },
  ])
  await writeFile(join(folder, 'firms.json'), JSON.stringify(pages))
  await writeFile(join(folder, 'members.json'), JSON.stringify([...listPages, ...records]))
  return keys
}

/** Returns key ranges of equal size, highest first: for each range, the key above it and its lowest key. */
function rangesOf(keys: readonly string[]): [string | null, string | null][] {
  const start = (range: number): number => Math.floor((range * keys.length) / RANGES)
  return Array.from({ length: RANGES }, (_, range) => [
    keys[start(range) - 1] ?? null,
    range === RANGES - 1 ? null : (keys[start(range + 1) - 1] ?? null),
  ])
}

/** The JSON schema of firms that a Singer tap declares. */
function singerSchema() {
  const types: Record<FirmFieldType, object> = {
    text: { type: ['string', 'null'] },
    'text[]': { type: ['array', 'null'], items: { type: 'string' } },
    integer: { type: ['integer', 'null'] },
    money: { type: ['number', 'null'] },
    boolean: { type: ['boolean', 'null'] },
    date: { type: ['string', 'null'], format: 'date' },
  }
  const fields = Object.entries(FIRM_FIELDS).map(([name, { type }]) => [name, types[type]])
  return { type: 'object', properties: { ...Object.fromEntries(fields), as_of: types.date } }
}

/** Creates tables with the columns and indexes of the warehouse's tables in another database. */
async function createBareTables(warehouseUrl: string, url: string, tables: readonly string[]): Promise<void> {
  const statements = await askDatabase<string[]>(
    warehouseUrl,
    `select array_agg(statement order by kind) as value from (
       select 1 as kind, format('create table bare.%I (%s)', relname, string_agg(
         format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum)) as statement
       from pg_attribute join pg_class on pg_class.oid = attrelid
       where relnamespace = 'warehouse'::regnamespace and attnum > 0 and not attisdropped group by relname, relkind
       having relkind = 'r' and relname in (${tables.map((name) => `'${name}'`).join(', ')})
       union all
       select 2, replace(indexdef, ' ON warehouse.', ' ON bare.') from pg_indexes
       where schemaname = 'warehouse' and tablename in (${tables.map((name) => `'${name}'`).join(', ')})
     ) statements`,
  )
  await using database = openPostgres(url, { log: silentLog, name: 'bench', connections: 1 })
  await database.pool.query(['create schema bare', ...statements].join('; '))
}

async function runOnce({ name, command, args, env }: Contender, database: string): Promise<Figures> {
  const { code, stdout, seconds, cpu, peakMb } = await runWatched(command, args, { ...process.env, ...env(database) })
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${stdout}`)
  return { seconds, cpu, peakMb }
}

type RowCounts = Record<string, number>

function countRows(url: string, schema: string, tables: readonly string[]): Promise<RowCounts> {
  const counts = tables.map((name) => `'${name}', (select count(*) from ${schema}.${name})`)
  return askDatabase(url, `select json_build_object(${counts.join(', ')}) as value`)
}

/** Verifies that the contender wrote all rows. */
function expectRows({ name, pull }: Contender, found: RowCounts, expected: RowCounts): void {
  for (const [table, rows] of Object.entries(found))
    if (rows !== expected[table])
      throw new Error(`${name}, ${pull}: ${rows} rows in ${table}, expected ${expected[table]}`)
}

function table(rows: RowCounts, turns: readonly Turns[], load: number): string {
  const medianOf = (of: readonly Figures[], name: keyof Figures): number => median(of.map((one) => one[name]))
  const cells = (of: Figures[], beside: Figures[]): string[] =>
    of.length === 0
      ? ['', '', '']
      : [
          medianOf(of, 'seconds').toFixed(2),
          (medianOf(of, 'seconds') / medianOf(beside, 'seconds')).toFixed(2),
          medianOf(of, 'cpu').toFixed(2),
        ]
  const lines = turns.map(({ pull, name, first, again }) => {
    const own = turns.find((each) => each.pull === pull && each.name === 'talhouse') ?? { first: [], again: [] }
    const peak = medianOf(first, 'peakMb').toFixed(0)
    return [pull, name, ...cells(first, own.first), ...cells(again, own.again), peak]
  })
  const memory = Math.round(totalmem() / 2 ** 30)
  return [
    `${rows['firm']} firms, ${rows['tal_member']} members with ${rows['person']} people, ${rounds} rounds; ` +
      `${availableParallelism()} cores, ${memory} GB, load ${load.toFixed(1)} at the start`,
    '',
    '| pull | program | first: s | of talhouse | CPU s | again: s | of talhouse | CPU s | peak MB |',
    '|---|---|---:|---:|---:|---:|---:|---:|---:|',
    ...lines.map((line) => `| ${line.join(' | ')} |`),
  ].join('\n')
}
