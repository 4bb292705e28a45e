import { sql } from 'kysely'
import type { FirmFieldName } from '../../src/contract/firm-fields.ts'
import { FIRM_FIELDS } from '../../src/contract/firm-fields.ts'
import type { Comparable } from '../compare/compare-rows.ts'
import { compareRows } from '../compare/compare-rows.ts'
import type { Difference, Verification } from '../compare/difference.ts'
import type { Slice } from '../compare/slice.ts'
import type { HostContext } from '../host-profile/host.ts'
import { Host } from '../host-profile/host.ts'
import { isRejected } from '../warehouse/rejected-record.ts'
import { findFirmIds } from './firm-identity.ts'
import type { FirmRow } from './firm-record.ts'
import { cellsOf, FIRM_SQL_TYPES, firmIdOf, readFirm } from './firm-record.ts'
import { knownFirmFields } from './query-firms.ts'
import { sampleKeys } from './sample-keys.ts'
import type { FirmComparer, KeyRange } from './unequal-ranges.ts'
import { firmPages, hasByteOrder, unequalRanges } from './unequal-ranges.ts'

export interface FirmSelection {
  /** Whether to compare counts of key ranges first, and fields only in ranges whose counts differ. @default false */
  quick?: boolean
  /** Compares only firms in this slice of the key space. @default all firms */
  slice?: Slice | undefined
}

/** Compares the warehouse's firms with the service's, field by field. */
export async function verifyFirms(
  given: HostContext & Omit<FirmComparer, 'host'>,
  { quick = false, slice }: FirmSelection = {},
): Promise<Verification> {
  const reader: FirmComparer = { ...given, host: await Host.open(given) }
  const fields = knownFirmFields(reader.host)
  const byCounts = quick && (await hasByteOrder(reader.warehouse.db))
  const ranges = byCounts ? await unequalRanges(reader) : slice ? await rangesOf(reader, slice) : [EVERYTHING]
  const verification: Verification = { compared: 0, differences: [], notes: [] }
  for (const range of ranges) await compareRange(reader, range, fields, verification)
  if (byCounts) verification.notes.push('--quick: fields were compared only in key ranges whose counts differ')
  else if (quick)
    verification.notes.push(
      '--quick was ignored: the service does not sort SEC numbers in byte order, so all firms were compared',
    )
  return verification
}

const EVERYTHING: KeyRange = { floor: null, below: null }

/**
 * The key ranges of a slice. If the service does not sort keys in byte order, or there are fewer firms than slices, the
 * first slice contains all firms.
 */
async function rangesOf({ warehouse: { db } }: FirmComparer, { number, of }: Slice): Promise<KeyRange[]> {
  const keys = await sampleKeys(db)
  if (keys.length < of || !(await hasByteOrder(db))) return number === 0 ? [EVERYTHING] : []
  const keyAt = (place: number): string => keys[Math.floor((place * keys.length) / of)] as string
  return [{ floor: number === 0 ? null : keyAt(number), below: number === of - 1 ? null : keyAt(number + 1) }]
}

async function compareRange(
  reader: FirmComparer,
  range: KeyRange,
  fields: readonly string[],
  verification: Verification,
): Promise<void> {
  const { db } = reader.warehouse
  const seen: string[] = []
  const unidentifiedKeys: string[] = []
  for await (const page of firmPages(reader, range, fields)) {
    const firms = page.map(readFirm)
    // A rejected record exists in the service, so its firm is not reported as extra.
    for (const { key, record } of firms.filter(isRejected)) {
      const id = firmIdOf(record)
      if (id !== undefined) seen.push(id)
      else if (key !== null) unidentifiedKeys.push(key)
    }
    const rows = firms.filter((firm): firm is FirmRow => !isRejected(firm))
    await findFirmIds(reader.warehouse.pool, rows)
    verification.compared += rows.length
    const keyOfFirm = new Map(rows.map(({ firm_id, sec_number }) => [firm_id, sec_number]))
    seen.push(...keyOfFirm.keys())
    for (const { key, fields: differing } of await compareRows(db, comparable(fields), rows.map(cellsOf)))
      verification.differences.push(differenceOf(keyOfFirm.get(key[0] as string) as string, differing))
  }
  const { rows: extra } = await sql<{ sec_number: string }>`
    select sec_number from warehouse.firm
    where gone_at is null and firm_id <> all (${seen}::text[]) and sec_number <> all (${unidentifiedKeys}::text[])
      and (${range.floor}::text is null or sec_number >= ${range.floor}) and (${range.below}::text is null or sec_number < ${range.below})
    order by sec_number
  `.execute(db)
  verification.differences.push(
    ...extra.map(({ sec_number }): Difference => ({ kind: 'extra', entity: 'firm', key: sec_number })),
  )
}

function differenceOf(key: string, fields: string[] | undefined): Difference {
  return fields ? { kind: 'differs', entity: 'firm', key, fields } : { kind: 'missing', entity: 'firm', key }
}

function comparable(fields: readonly string[]): Comparable {
  const names = fields.filter((name): name is FirmFieldName => name in FIRM_FIELDS)
  return {
    table: 'warehouse.firm',
    key: { firm_id: 'text' },
    columns: {
      ...Object.fromEntries(names.map((name) => [name, FIRM_SQL_TYPES[FIRM_FIELDS[name].type]])),
      extra: 'jsonb',
    },
  }
}
