import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface StagedSummary {
  rows: number
  good: number
  firmTypes: string[]
  /** Date of the newest filing; null if the layout has no such column. */
  asOf: string | null
  /** Number of implausibly late filing dates, which are ignored when determining `asOf`. */
  wrongDates: number
}

export async function summarizeStaged(db: Db): Promise<StagedSummary> {
  const { rows } = await sql<StagedSummary>`
    select
      count(*)::integer as rows,
      count(*) filter (where reason is null)::integer as good,
      coalesce(array_agg(distinct firm_type) filter (where reason is null), '{}') as "firmTypes",
      max(latest_filing_date) filter (where reason is null and latest_filing_date <= usual.latest) as "asOf",
      count(*) filter (where reason is null and latest_filing_date > usual.latest)::integer as "wrongDates"
    from firm_stage, (
      -- At least one firm in a hundred files every month, so a much later date is a mistake.
      select percentile_disc(0.99) within group (order by latest_filing_date) + 45 as latest from firm_stage where reason is null
    ) usual`.execute(db)
  return rows[0] as StagedSummary
}

/** Quarantines every row whose CRD or SEC number already occurs in an earlier row. */
export async function quarantineDuplicates(db: Db): Promise<void> {
  for (const [field, label] of [
    ['crd_number', 'CRD'],
    ['sec_number', 'SEC'],
  ] as const) {
    await sql`
      update firm_stage
      set reason = ${`${label} number `}::text || later.value || ' already occurs on line ' || later.first_line,
          row = ${asFiled}
      from (
        select line, ${sql.ref(field)}::text as value, first_value(line) over same as first_line, row_number() over same as place
        from firm_stage
        where reason is null
        window same as (partition by ${sql.ref(field)} order by line)
      ) later
      where firm_stage.line = later.line and later.place > 1`.execute(db)
  }
}

/** The original values of a valid row that is quarantined. */
const asFiled = sql`jsonb_strip_nulls(jsonb_build_object('Organization CRD#', firm_stage.crd_number::text,
  'SEC#', firm_stage.sec_number, 'Legal Name', firm_stage.legal_name)) || firm_stage.items`

/**
 * Creates `firm_leaving`, which contains the current firms that are missing from the file, and counts these firms by
 * type. A firm in a quarantined row counts as present.
 */
export async function countMissing(
  db: Db,
  firmTypes: string[],
): Promise<{ firmType: string; missing: number; present: number }[]> {
  await sql`
    create temporary table firm_leaving on commit drop as
    select firm.crd_number, firm.firm_type
    from firm
    where gone_as_of is null and firm_type = any(${firmTypes})
      and not exists (select from firm_stage staged where staged.crd_number = firm.crd_number)
      and not exists (
        select from firm_stage staged
        where staged.reason is not null and staged.crd_number is null and staged.sec_number = firm.sec_number
      )`.execute(db)
  const { rows } = await sql<{ firmType: string; missing: number; present: number }>`
    select firm_type as "firmType", count(firm_leaving)::integer as missing, count(*)::integer as present
    from firm left join firm_leaving using (crd_number, firm_type)
    where gone_as_of is null and firm_type = any(${firmTypes})
    group by firm_type`.execute(db)
  return rows
}

/**
 * Counts quarantined rows with neither a CRD number nor an SEC number. Such a row may belong to one of the missing
 * firms.
 */
export async function countAnonymous(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from firm_stage where reason is not null and crd_number is null and sec_number is null`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Exempts missing firms of these types from being marked gone. */
export async function keepMissing(db: Db, firmTypes: string[]): Promise<void> {
  await sql`delete from firm_leaving where firm_type = any(${firmTypes})`.execute(db)
}

/**
 * Quarantines rows whose SEC number belongs to another current firm. Repeats the check, because the firm of a
 * quarantined row keeps its current SEC number, which can then conflict with another row.
 */
export async function quarantineClaimedNumbers(db: Db): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      update firm_stage
      set reason = 'SEC number ' || firm.sec_number || ' belongs to CRD number ' || firm.crd_number, row = ${asFiled}
      from firm
      where firm_stage.reason is null and firm.gone_as_of is null
        and firm.sec_number = firm_stage.sec_number and firm.crd_number <> firm_stage.crd_number
        and not exists (select from firm_leaving where firm_leaving.crd_number = firm.crd_number)
        and not exists (select from firm_stage own where own.crd_number = firm.crd_number and own.reason is null)`.execute(
      db,
    )
    if (!numAffectedRows) return
  }
}
