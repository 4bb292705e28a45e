import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { MarkDensity } from './firm-marks.ts'
import { writeMarks } from './firm-marks.ts'

/**
 * Number of firms between two stored ranks. A count reads at most 256 index entries (0.1 ms), and a million firms need
 * 4,000 ranks per field.
 */
const FIRMS_PER_MARK = 256

/** Fields whose ranges are counted by rank. The values of these fields are unique and never null. */
export const RANKED_FIELDS = ['sec_number', 'crd_number'] as const
export type RankedField = (typeof RANKED_FIELDS)[number]

/** Fields by which `firm_summary` groups its counts. */
export const SUMMARY_FIELDS: readonly string[] = ['state', 'region', 'firm_type']

/**
 * Lower bounds of the asset classes, in US dollars. Advisers with less than 25 million US dollars usually register with
 * a state.
 */
export const ASSET_CLASSES = [0, 25e6, 100e6, 1e9, 10e9, 100e9]

/** Number of firms from which counts per field are stored. Smaller rosters are scanned. */
const LARGE_ROSTER = 100_000

/**
 * Rebuilds the ranks, the marks, the summary and the total in the import's transaction, increments the version and
 * returns it. Marks are stored if there are at least `largeRoster` firms.
 */
export async function renewDataset(
  db: Db,
  { largeRoster = LARGE_ROSTER, density }: { largeRoster?: number; density?: MarkDensity } = {},
): Promise<number> {
  await sql`delete from firm_rank`.execute(db)
  for (const field of RANKED_FIELDS) {
    await sql`
      insert into firm_rank (field, firms_below, sec_number, crd_number)
      select ${field}::text, place - 1, sec_number, crd_number
      from (
        select sec_number, crd_number, row_number() over (order by ${sql.ref(field)})::integer as place
        from firm where gone_as_of is null
      ) ranked
      where (place - 1) % ${FIRMS_PER_MARK}::integer = 0`.execute(db)
  }
  await sql`delete from firm_summary`.execute(db)
  await sql`
    insert into firm_summary (state, region, firm_type, size_class, firms, aum_total_usd)
    select state, region, firm_type, width_bucket(aum_total_usd, ${ASSET_CLASSES}::numeric[]), count(*), coalesce(sum(aum_total_usd), 0)
    from firm where gone_as_of is null group by 1, 2, 3, 4`.execute(db)
  const { rows } = await sql<{ version: number; firms: number }>`
    update firm_dataset
    set version = version + 1, revision = gen_random_uuid(), firms = (select count(*) from firm where gone_as_of is null), marked_version = null
    returning version, firms`.execute(db)
  const { version = 0, firms = 0 } = rows[0] ?? {}
  await sql`delete from firm_mark`.execute(db)
  if (firms >= largeRoster) {
    await writeMarks(db, density)
    await sql`update firm_dataset set marked_version = version`.execute(db)
  }
  return version
}

/** Advances the dataset's date to `asOf`, unless the current date is newer. */
export async function advanceDatasetDay(db: Db, asOf: string): Promise<void> {
  await sql`update firm_dataset set as_of = ${asOf}::date where as_of is null or as_of < ${asOf}::date`.execute(db)
}
