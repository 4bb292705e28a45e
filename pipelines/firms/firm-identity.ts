import type { Postgres } from '../../src/lib/postgres.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { FirmRow } from './firm-record.ts'
import { CRD_NUMBER } from './firm-record.ts'

type Pool = Postgres<WarehouseTables>['pool']

/**
 * Keeps one row per firm when the service starts or stops sending CRD numbers. A record without a CRD number is matched
 * to the live firm with the same SEC number. A firm stored under its SEC number is re-keyed to its CRD number.
 */
export async function unifyFirmIds(pool: Pool, rows: readonly FirmRow[]): Promise<void> {
  await findFirmIds(pool, rows)
  await renameFirms(pool, rows)
}

/** Assigns each record without a CRD number to the live firm with the same SEC number. */
export async function findFirmIds(pool: Pool, all: readonly FirmRow[]): Promise<void> {
  const rows = all.filter(({ values }) => values[CRD_NUMBER] === null)
  if (rows.length === 0) return
  const { rows: known } = await pool.query<{ firm_id: string; sec_number: string; crd_number: number }>({
    text: 'select firm_id, sec_number, crd_number from warehouse.firm where sec_number = any($1::text[]) and gone_at is null and crd_number is not null',
    values: [rows.map(({ sec_number }) => sec_number)],
  })
  const byNumber = new Map(known.map((firm) => [firm.sec_number, firm]))
  for (const row of rows) {
    const firm = byNumber.get(row.sec_number)
    if (!firm) continue
    row.firm_id = firm.firm_id
    row.values[CRD_NUMBER] = firm.crd_number
  }
}

async function renameFirms(pool: Pool, rows: readonly FirmRow[]): Promise<void> {
  const pairs = rows.filter(({ firm_id, sec_number }) => firm_id !== sec_number)
  if (pairs.length === 0) return
  const { rows: stored } = await pool.query<{ firm_id: string }>({
    text: 'select firm_id from warehouse.firm where firm_id = any($1::text[])',
    values: [pairs.map(({ sec_number }) => sec_number)],
  })
  if (stored.length === 0) return
  await pool.query({
    text: `
      with pair as (select * from unnest($1::text[], $2::text[]) as pair (old_id, new_id)),
      renamed as (
        update warehouse.firm set firm_id = pair.new_id from pair
        where firm.firm_id = pair.old_id and not exists (select from warehouse.firm taken where taken.firm_id = pair.new_id)
        returning pair.old_id, pair.new_id
      )
      update warehouse.firm_previous past set firm_id = renamed.new_id from renamed where past.firm_id = renamed.old_id`,
    values: [pairs.map(({ sec_number }) => sec_number), pairs.map(({ firm_id }) => firm_id)],
  })
}
