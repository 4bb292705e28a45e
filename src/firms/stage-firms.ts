import { sql } from 'kysely'
import { FIRM_FIELD_NAMES } from '../contract/firm-fields.ts'
import type { ServiceTables } from '../db/database.ts'
import type { CopyCell, CopyTransaction } from '../lib/copy-rows.ts'
import { copyRows } from '../lib/copy-rows.ts'
import type { StagedFirm } from './staged-firm.ts'

/**
 * Streams a file, including invalid rows, into the temporary `firm_stage` table with a single COPY. Returns the
 * distinct headings of all items.
 */
export async function stageFirms(
  { client, db }: CopyTransaction<ServiceTables>,
  firms: AsyncIterable<StagedFirm>,
  signal?: AbortSignal,
): Promise<string[]> {
  await sql`create temporary table firm_stage (like firm) on commit drop`.execute(db)
  await sql`
    alter table firm_stage
      add column line integer not null, add column reason text, add column row jsonb,
      alter column crd_number drop not null, alter column sec_number drop not null, alter column firm_type drop not null,
      alter column as_of drop not null, alter column first_as_of drop not null`.execute(db)
  const headings = new Set<string>()
  const columns = ['line', 'reason', 'row', 'items', ...FIRM_FIELD_NAMES].join(', ')
  await copyRows(client, `copy firm_stage (${columns}) from stdin`, cellsOf(firms, headings), signal)
  await sql`create index on firm_stage (crd_number)`.execute(db)
  await sql`create index on firm_stage (sec_number)`.execute(db)
  await sql`analyze firm_stage`.execute(db)
  return [...headings]
}

async function* cellsOf(firms: AsyncIterable<StagedFirm>, headings: Set<string>): AsyncGenerator<CopyCell[]> {
  for await (const { line, reason, row, items, values } of firms) {
    for (const heading in items) headings.add(heading)
    yield [line, reason, row && json(row), json(items), ...FIRM_FIELD_NAMES.map((field) => withoutNul(values[field]))]
  }
}

/** NUL is the only character that PostgreSQL cannot store in text. */
const NUL = '\u0000'

const json = (value: Record<string, string>) => JSON.stringify(value).replaceAll('\\u0000', '')

const withoutNul = (value: StagedFirm['values'][keyof StagedFirm['values']]): CopyCell =>
  typeof value === 'string' ? value.replaceAll(NUL, '') : value
