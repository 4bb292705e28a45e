import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from './logger.ts'
import { PreparingClient } from './prepared-statements.ts'

/** A pool of connections to one database, as a query builder and as itself (for COPY). Closing it ends them all. */
export interface Postgres<Tables> extends AsyncDisposable {
  db: Kysely<Tables>
  pool: pg.Pool
  url: string
}

export type PostgresClient = pg.PoolClient

export interface PostgresOptions {
  log: Log
  /** Shown in `pg_stat_activity`. */
  name: string
  /** Connections at the most. @default 10 */
  connections?: number
  /** Ends a statement that runs longer, in milliseconds. @default none */
  statementTimeout?: number
  /** Numbers that a double does not hold to their last digit come as text: for results that people read. */
  exactNumbers?: boolean
}

const { builtins } = pg.types

/**
 * Timestamps stay text, in ISO 8601 with six digits: a JavaScript Date would cut the microseconds, and a watermark
 * that was cut repeats or loses rows. Dates stay `YYYY-MM-DD`. Counts and money fit a double exactly (below 2^53
 * and 9e13 dollars with cents).
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, toIsoTimestamp],
  [builtins.TIMESTAMP, toIsoTimestamp],
  [builtins.DATE, String],
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
])

const exactParsers = new Map([...parsers, [builtins.INT8, exactNumber], [builtins.NUMERIC, exactNumber]])

/** A double holds fifteen digits, whichever they are. */
function exactNumber(text: string): number | string {
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length <= 15 ? Number(text) : text
}

/** `2026-11-21 01:02:03.5+00` -> `2026-11-21T01:02:03.500000Z`. Sessions run in UTC. */
export function toIsoTimestamp(text: string): string {
  const [, date, time, fraction = ''] = /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(text) ?? []
  return date ? `${date}T${time}.${fraction.padEnd(6, '0')}Z` : text // `infinity` has no parts
}

/** Opens a pool. Nothing is connected yet: a database that is away is noticed by the first query. */
export function openPostgres<Tables>(url: string, options: PostgresOptions): Postgres<Tables> {
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: url,
    max: options.connections ?? 10,
    application_name: `talhouse ${options.name}`,
    options: `-c TimeZone=UTC${options.statementTimeout ? ` -c statement_timeout=${options.statementTimeout}` : ''}`,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: {
      getTypeParser: ((oid, format) =>
        (format !== 'binary' && (options.exactNumbers ? exactParsers : parsers).get(oid)) ||
        pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  })
  // Without a handler, one connection that the server ends would end this process.
  pool.on('error', (error) => options.log.warn({ err: error, database: options.name }, 'an idle connection was lost'))
  // Nor has a connection that is lent out any handler of the pool's: one that breaks between two statements of a transaction would end us too.
  // Its next statement fails, and that is where it is noticed.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, url, [Symbol.asyncDispose]: () => close(db, pool) }
}

/** Kysely ends the pool only if it was used through Kysely. */
async function close<Tables>(db: Kysely<Tables>, pool: pg.Pool): Promise<void> {
  await db.destroy()
  if (!pool.ending) await pool.end()
}

/** One connection that sees one state of the database throughout: for reads over several statements that must agree. */
export async function readSnapshot<Result>(
  pool: pg.Pool,
  work: (client: PostgresClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin isolation level repeatable read read only')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    // Its state is unknown (a COPY may be under way): the pool must not hand it out again.
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.release(broken)
  }
}

/** The same server and user, another database. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

/** Makes the database unless it is there. `url` names it; the user must be allowed to create databases. */
export async function ensureDatabase(url: string): Promise<void> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1))
  const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}
