import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { messageOf } from '../../src/lib/errors.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { Check, CheckResult } from './check.ts'

type Db = Kysely<WarehouseTables>

const EXAMPLES = 3
/** A check fails if its query exceeds this limit, because the other steps of the nightly run wait for the query. */
const TIMEOUT_MINUTES = 10

/**
 * Runs the checks and stores each check's number of violations and a few examples. If a query fails, its check fails,
 * and the result contains the error. If the signal is aborted, throws after the current check.
 */
export async function runChecks(db: Db, checks: readonly Check[], signal?: AbortSignal): Promise<CheckResult[]> {
  for (const { name, sql: text } of checks) {
    signal?.throwIfAborted()
    const started = performance.now()
    const error = await runCheck(db, name, text).catch(messageOf)
    const seconds = (performance.now() - started) / 1000
    if (error === undefined)
      await sql`update sync.check_result set seconds = ${seconds} where name = ${name}`.execute(db)
    else await storeError(db, name, error, seconds)
  }
  return await readResults(db, checks)
}

async function runCheck(db: Db, name: string, text: string): Promise<undefined> {
  // The query runs as a subquery, where PostgreSQL rejects statements that change data. The line break terminates a
  // trailing comment.
  const query = sql.raw(`select * from (${text.replace(/[\s;]+$/, '')}\n) as violation`)
  const work = async (trx: Db) => {
    await sql`set local statement_timeout = ${sql.lit(TIMEOUT_MINUTES * 60_000)}`.execute(trx)
    await sql`
    with failure as materialized (${query}),
    found as (
      select (select count(*)::integer from failure) as failures,
        coalesce((select jsonb_agg(jsonb_strip_nulls(to_jsonb(example))) from (select * from failure limit ${EXAMPLES}) example), '[]') as examples
    )
    insert into sync.check_result (name, failures, examples, seconds)
    select ${name}, failures, examples, 0 from found
    on conflict (name) do update
    set failures = excluded.failures, examples = excluded.examples, error = null, checked_at = clock_timestamp()
  `.execute(trx)
  }
  await (db.isTransaction ? work(db) : db.transaction().execute(work))
}

async function storeError(db: Db, name: string, error: string, seconds: number): Promise<void> {
  await sql`
    insert into sync.check_result (name, failures, examples, error, seconds) values (${name}, 0, '[]', ${error}, ${seconds})
    on conflict (name) do update
    set failures = 0, examples = '[]', error = excluded.error, seconds = excluded.seconds, checked_at = clock_timestamp()
  `.execute(db)
}

/** The latest results of the given checks. Checks that have never run are omitted. */
export async function readResults(db: Db, checks: readonly Check[]): Promise<CheckResult[]> {
  const { rows } = await sql<Omit<CheckResult, 'description' | 'kind'>>`
    select name, failures, examples, error, seconds, checked_at from sync.check_result`.execute(db)
  const results = new Map(rows.map((row) => [row.name, row]))
  return checks.flatMap(({ name, description, kind }) => {
    const result = results.get(name)
    return result ? [{ ...result, description, kind }] : []
  })
}
