import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Walk } from '../walk/walks.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

/**
 * After a complete walk, extends the period for which `firm_as_of` is exact. If the warehouse missed data between the
 * previous complete walk and this walk, the current period ends and a new period starts.
 */
export async function extendCoverage(
  db: Kysely<WarehouseTables>,
  { data_as_of, started_at }: Walk,
  runId: number,
): Promise<void> {
  const midnight = sql`${data_as_of}::date::timestamp at time zone 'UTC'`
  await sql`
    with current as (select * from warehouse.firm_coverage where valid_to is null),
    missed as (
      select case
        when ${data_as_of}::date is not null then (
          -- Some firms have a version from a roster that was never pulled completely.
          select min(as_of)::timestamp at time zone 'UTC' from warehouse.firm_version
          where as_of > current.data_as_of and as_of < ${data_as_of}::date
        )
        else (
          -- An incomplete walk wrote rows.
          select min(valid_from) from warehouse.firm_version where recorded_at > current.checked_at and recorded_at < ${started_at}::timestamptz
        )
      end as since
      from current
    ),
    ended as (
      update warehouse.firm_coverage set valid_to = greatest(missed.since, valid_from + interval '1 microsecond')
      from missed where valid_to is null and missed.since is not null
      returning 1
    ),
    extended as (
      update warehouse.firm_coverage set checked_at = now(), data_as_of = coalesce(${data_as_of}::date, data_as_of), run_id = ${runId}
      where valid_to is null and not exists (select from missed where since is not null)
      returning 1
    )
    insert into warehouse.firm_coverage (valid_from, data_as_of, run_id)
    select coalesce(${midnight}, now()), ${data_as_of}::date, ${runId} where not exists (select from extended)
    on conflict (valid_from) do update set valid_to = null, checked_at = now(), data_as_of = excluded.data_as_of, run_id = excluded.run_id
  `.execute(db)
}

/**
 * Extends the current period to include a repair, unless another run has written rows since the latest complete walk.
 */
export async function acceptRepair(db: Kysely<WarehouseTables>, runId: number): Promise<void> {
  await sql`
    update warehouse.firm_coverage set checked_at = now()
    where valid_to is null
      and not exists (select from warehouse.firm where recorded_at > firm_coverage.checked_at and run_id <> ${runId})
  `.execute(db)
}
