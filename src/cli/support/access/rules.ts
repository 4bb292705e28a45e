import { systemCode } from '../../../lib/errors.ts'
import type { PostgresConnection } from '../../../lib/postgres.ts'

/** An access rule: a query that returns the statements needed to satisfy the rule, one per row. */
export interface AccessRule {
  text: string
  values?: readonly unknown[]
}

/**
 * SQLSTATEs that require an administrator: `insufficient_privilege`, and `undefined_object` for a role that could not
 * be created.
 */
export const DENIED = ['42501', '42704']
/**
 * SQLSTATEs that occur if another process applies the same rule concurrently: `tuple concurrently updated`,
 * `duplicate_object`, `unique_violation`.
 */
const CONCURRENT = ['XX000', '42710', '23505']
/**
 * Maximum number of passes over the rules. Revoking a default privilege can require explicit grants in the next pass.
 */
const ROUNDS = 3

/**
 * Applies the rules, starting with their pending statements if the caller has read them. Statements can be repeated, so
 * another process may execute the same ones. Returns the statements that this role is not allowed to execute.
 */
export async function applyRules(
  client: PostgresConnection,
  rules: readonly AccessRule[],
  pending?: readonly string[],
): Promise<string[]> {
  await client.query('set search_path = pg_catalog')
  let statements = pending ?? (await pendingStatements(client, rules))
  for (let round = 0; round < ROUNDS && statements.length > 0; round += 1) {
    for (const statement of statements) await execute(client, statement)
    statements = await pendingStatements(client, rules)
  }
  return [...statements]
}

export async function pendingStatements(client: PostgresConnection, rules: readonly AccessRule[]): Promise<string[]> {
  const statements: string[] = []
  for (const { text, values = [] } of rules) {
    const { rows } = await client.query<{ statement: string }>(text, [...values])
    statements.push(...rows.map(({ statement }) => statement))
  }
  return statements
}

async function execute(client: PostgresConnection, statement: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    if (![...DENIED, ...CONCURRENT].includes(systemCode(error) ?? '')) throw error
  }
}

/** The user in a connection URL. */
export const userOf = (url: string): string => decodeURIComponent(new URL(url).username)
