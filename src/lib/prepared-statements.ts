import { sql } from 'kysely'
import pg from 'pg'

const MARK = '/* prepared */'

/**
 * Marks a frequent statement to be prepared once per connection, because planning it costs as much as executing it. Use
 * this mark only for statements whose plan does not depend on parameter values. Columns must be listed, because a
 * cached `select *` fails after a schema change.
 */
export const prepared = sql.raw(MARK)

/** Marks a statement that a library has generated. */
export const asPrepared = (text: string): string => `${MARK}${text}`

/** Maximum number of prepared statements. Further marked statements are sent unnamed. */
const MAX_NAMED = 200
const names = new Map<string, string>()

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_NAMED) return known
  const name = `talhouse-${names.size + 1}`
  names.set(text, name)
  return name
}

/**
 * A client that sends marked statements, and statements named by the caller, as named prepared statements. If the
 * connection goes through a pooler, sends both kinds unnamed, because the next statement may run on another server
 * connection, which does not know the name.
 */
export class PreparingClient extends pg.Client {
  /** True if the connection goes through a pooler, such as PgBouncer; false until the session has been prepared. */
  isPooled = false

  override query(statement: unknown, ...rest: unknown[]): never {
    const query = super.query as (...given: unknown[]) => never
    return query.call(this, this.isPooled ? withoutName(statement) : withName(statement), ...rest)
  }
}

const withName = (statement: unknown): unknown =>
  typeof statement === 'string' && statement.trimStart().startsWith(MARK)
    ? { name: nameOf(statement), text: statement }
    : statement

/** Query objects with a `submit` method, such as COPY streams, have no statement name. */
const withoutName = (statement: unknown): unknown =>
  typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement)
    ? { ...statement, name: undefined }
    : statement
