import { sql } from 'kysely'
import pg from 'pg'

const MARK = '/* prepared */'

/**
 * Marks a frequent statement, so that each connection prepares it once, because planning it costs as much as executing
 * it. Use it only for statements whose plan does not depend on parameter values. Columns must be listed, because a
 * cached `select *` fails after a schema change.
 */
export const prepared = sql.raw(MARK)

/** Adds the prefix to a library's statement text. */
export const asPrepared = (text: string): string => `${MARK}${text}`

/** Maximum prepared statements per connection. */
const MAX_NAMED = 200
const names = new Map<string, string>()

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_NAMED) return known
  const name = `talhouse-${names.size + 1}`
  names.set(text, name)
  return name
}

/** A client that sends marked statements as named prepared statements. */
export class PreparingClient extends pg.Client {
  override query(statement: unknown, ...rest: unknown[]): never {
    const query = super.query as (...given: unknown[]) => never
    if (typeof statement !== 'string' || !statement.trimStart().startsWith(MARK))
      return query.call(this, statement, ...rest)
    return query.call(this, { name: nameOf(statement), text: statement }, ...rest)
  }
}
