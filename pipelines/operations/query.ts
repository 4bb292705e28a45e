import type { WarehouseQuery, WarehouseQueryResult } from '../../src/contract/warehouse-query.ts'
import { AppError, messageOf, systemCode } from '../../src/lib/errors.ts'
import type { Log } from '../../src/lib/logger.ts'
import type { PostgresClient } from '../../src/lib/postgres.ts'
import { isNumeric, openPostgres } from '../../src/lib/postgres.ts'

const TIMEOUT_SECONDS = 60
const BATCH_ROWS = 500
/** Maximum size of a result as JSON, in characters. */
const MAX_SIZE = 16 * 2 ** 20

const CANCELLED = '57014'

export interface QueryDeps {
  log: Log
  /** Connection URL of the analyst role. */
  analystAddress: () => Promise<string>
  /** Maximum duration of a query. @default 60 */
  timeoutSeconds?: number
}

/**
 * Runs one statement as the analyst role, in a read-only transaction on a separate connection, so that session settings
 * and locks end with the connection. Aborting the signal closes the connection, because the analyst role cannot call
 * pg_cancel_backend. PostgreSQL then aborts the statement within a second. Throws `unprocessable` with PostgreSQL's
 * message.
 */
export async function runQuery(
  { log, analystAddress, timeoutSeconds = TIMEOUT_SECONDS }: QueryDeps,
  { sql, limit }: WarehouseQuery,
  signal: AbortSignal,
): Promise<WarehouseQueryResult> {
  const address = await analystAddress()
  await using analyst = openPostgres(address, {
    log,
    name: 'console query',
    connections: 1,
    idleTransactionTimeout: 0,
    exactNumbers: true,
  })
  const client = await analyst.pool.connect()
  const started = performance.now()
  let isOpen = true
  const close = () => {
    if (isOpen) client.release(true)
    isOpen = false
  }
  signal.addEventListener('abort', close, { once: true })
  try {
    await client.query('begin read only')
    await client.query(
      `set local statement_timeout = ${timeoutSeconds * 1000}; set local cursor_tuple_fraction = 1;
      set local client_connection_check_interval = 500`,
    )
    const { fields, values, isTruncated } = await read(client, sql, limit, signal)
    const columns = await describeColumns(client, fields)
    return { columns, rows: values, is_truncated: isTruncated, seconds: (performance.now() - started) / 1000 }
  } catch (error) {
    signal.throwIfAborted()
    throw asProblem(error, sql, timeoutSeconds)
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}

interface Read {
  fields: readonly { name: string; dataTypeID: number }[]
  values: unknown[][]
  isTruncated: boolean
}

const DECLARE = 'declare result no scroll cursor for '
/** Statements that cannot use a cursor; their results are small. */
const WITHOUT_CURSOR = /^\s*(explain|show)\b/i

/** Reads at most `limit` rows in batches, so that a large result is never entirely in memory. */
async function read(client: PostgresClient, sql: string, limit: number, signal: AbortSignal): Promise<Read> {
  const single = async (text: string) => {
    signal.throwIfAborted()
    // The extended protocol accepts a single statement.
    return await client.query<unknown[]>({ text, values: [], rowMode: 'array', queryMode: 'extended' } as never)
  }
  if (WITHOUT_CURSOR.test(sql)) {
    const { fields, rows } = await single(sql)
    return { fields, values: rows.map((row) => row.map(plain)), isTruncated: false }
  }
  await single(DECLARE + sql)
  const values: unknown[][] = []
  let size = 0
  for (;;) {
    const wanted = Math.min(BATCH_ROWS, limit + 1 - values.length)
    const { fields, rows } = await single(`fetch forward ${wanted} from result`)
    const batch = rows.map((row) => row.map(plain))
    values.push(...batch)
    size += JSON.stringify(batch).length
    if (values.length > limit) return { fields, values: values.slice(0, limit), isTruncated: true }
    if (rows.length < wanted) return { fields, values, isTruncated: false }
    if (size > MAX_SIZE) return { fields, values, isTruncated: true }
  }
}

/** Converts a value to JSON. Bytes and intervals use PostgreSQL's text format. */
function plain(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (typeof value === 'object' && value !== null && 'toPostgres' in value && typeof value.toPostgres === 'function')
    return value.toPostgres()
  return value
}

async function describeColumns(
  client: PostgresClient,
  fields: Read['fields'],
): Promise<WarehouseQueryResult['columns']> {
  const { rows } = await client.query<{ oid: number; type: string }>(
    'select oid::integer, format_type(oid, null) as type from pg_type where oid = any($1::oid[])',
    [fields.map(({ dataTypeID }) => dataTypeID)],
  )
  const types = new Map(rows.map(({ oid, type }) => [oid, type]))
  return fields.map((field) => ({
    name: field.name,
    type: types.get(field.dataTypeID) ?? 'unknown',
    is_numeric: isNumeric(field),
  }))
}

function asProblem(error: unknown, sql: string, timeoutSeconds: number): unknown {
  const code = systemCode(error) ?? ''
  if (code === CANCELLED)
    return new AppError('unprocessable', `The query was cancelled. A query may run for at most ${timeoutSeconds} s.`, {
      cause: error,
    })
  if (error instanceof AppError || /^(08|53|57|58|XX|E)/.test(code) || code === '') return error
  return new AppError('unprocessable', describeError(error, sql), { cause: error })
}

/** PostgreSQL's error message with its line, detail and hint. */
function describeError(error: unknown, sql: string): string {
  const { position, hint, detail } = error as { position?: string; hint?: string; detail?: string }
  const message = messageOf(error)
  if (message.includes('multiple commands')) return 'Send one statement at a time.'
  const place = Number(position ?? 0) - (WITHOUT_CURSOR.test(sql) ? 0 : DECLARE.length)
  const line = place > 0 ? ` (line ${sql.slice(0, place - 1).split('\n').length})` : ''
  return [`${message}${line}`, detail, hint].filter(Boolean).join('. ')
}
