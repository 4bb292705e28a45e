import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { isFailed } from '../../../pipelines/checks/check.ts'
import { listExpectations } from '../../../pipelines/checks/expectations.ts'
import { readResults } from '../../../pipelines/checks/run-checks.ts'
import { nextDue } from '../../../pipelines/runner/schedule.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { databaseClock } from '../../lib/database-clock.ts'
import { formatLocalTime } from '../../lib/local-time.ts'
import { openWarehouse } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'
import type { Row } from '../support/output.ts'
import { formatRows } from '../support/output.ts'

export const status: Handler = async (command) => {
  const { schedule } = command.config
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  const { rows } = await sql<Row & { reasons: string[] }>`
    select pipeline, coalesce(outcome, state) as outcome, run_id as run, started_at, round(seconds::numeric, 1) as seconds, last_ok_at, reasons
    from warehouse.run_status order by pipeline
  `.execute(warehouse.db)
  const drift = await readDrift(warehouse.db)
  const expected = await readResults(warehouse.db, listExpectations(command.config.pipelines.expectations))
  const failed = expected.filter(isFailed)
  const next = nextDue(schedule, await databaseClock(warehouse.db).now())
  command.out.result(
    {
      pipelines: rows,
      expectations: expected,
      schema_drift: drift,
      next_due: next.toISOString(),
      scheduled: schedule.pipelines,
    },
    () =>
      [
        rows.length > 0
          ? formatRows(
              rows.map(({ reasons, ...row }) => ({ ...row, reasons: reasons.join('; ') })),
              'table',
            )
          : 'No runs yet. Start one with `talhouse run firms`.',
        ...(expected.length > 0
          ? [
              `Expectations: ${expected.length - failed.length} of ${expected.length} met${failed.map(({ name }) => `\n  FAIL  ${name}`).join('')}`,
            ]
          : []),
        ...(drift.length > 0
          ? [
              `Schema drift, in the columns extra and warehouse.schema_drift: ${drift.map(({ field }) => field).join(', ')}`,
            ]
          : []),
        `Next run: ${schedule.pipelines.join(', ')} at ${formatLocalTime(next, schedule.time_zone)}`,
      ].join('\n\n'),
  )
}

/** Fields and terms from the service that talhouse does not recognize. */
async function readDrift(db: Kysely<WarehouseTables>): Promise<{ field: string; first_seen_at: string }[]> {
  const { rows } = await sql<{ field: string; first_seen_at: string }>`
    select entity || '.' || field as field, first_seen_at from warehouse.schema_drift order by 1`.execute(db)
  return rows
}
