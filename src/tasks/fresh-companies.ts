import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { FieldGroup } from '../findings/provider.ts'
import { prepared } from '../lib/prepared-statements.ts'

/**
 * Returns the companies for which all requested groups were enriched within `maxAgeDays`. A group for which no data was
 * found also counts as fresh, but a group whose search failed is stale.
 */
export async function freshCompanies(
  db: Db,
  domains: readonly string[],
  groups: readonly FieldGroup[],
  maxAgeDays: number,
): Promise<Set<string>> {
  const since = sql`now() - ${maxAgeDays}::float8 * interval '1 day'`
  const young = (column: string) => sql`${sql.ref(column)} > ${since}`
  const rules = {
    company: young('enriched_at'),
    leadership: young('leadership_enriched_at'),
    signals: young('signals_enriched_at'),
  } as const satisfies Record<FieldGroup, unknown>
  const { rows } = await sql<{ domain: string }>`${prepared}
    select domain from company
    where domain = any(${[...domains]}::text[])
      and ${sql.join(
        groups.map((group) => rules[group]),
        sql` and `,
      )}`.execute(db)
  return new Set(rows.map(({ domain }) => domain))
}
