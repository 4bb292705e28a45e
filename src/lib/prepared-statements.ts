import { sql } from 'kysely'
import pg from 'pg'

const MARK = '/* prepared */'

/**
 * Stands first in a statement that runs all the time: each connection parses and plans it once and keeps the plan, which costs as much as running it.
 * For statements whose plan does not depend on their values, so never for a search. They name their columns, since PostgreSQL refuses a kept
 * `select *` whose table has changed.
 */
export const prepared = sql.raw(MARK)

/** The same for the text of a statement that is not ours. */
export const asPrepared = (text: string): string => `${MARK}${text}`

/** Every connection keeps each of them until it ends. */
const MAX_NAMED = 200
const names = new Map<string, string>()

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_NAMED) return known
  const name = `talhouse-${names.size + 1}`
  names.set(text, name)
  return name
}

/** A connection that has PostgreSQL keep the statements that are marked so. Query builders pass it a text and values, and know nothing of names. */
export class PreparingClient extends pg.Client {
  override query(statement: unknown, ...rest: unknown[]): never {
    const query = super.query as (...given: unknown[]) => never
    if (typeof statement !== 'string' || !statement.trimStart().startsWith(MARK))
      return query.call(this, statement, ...rest)
    return query.call(this, { name: nameOf(statement), text: statement }, ...rest)
  }
}
