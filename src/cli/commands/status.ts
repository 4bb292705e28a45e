import { sql } from 'kysely'
import type { CommandModule } from 'yargs'
import { nextDue } from '../../../pipelines/runner/schedule.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { CommonArguments } from '../support/command.ts'
import { run } from '../support/command.ts'
import { openWarehouse } from '../support/databases.ts'
import type { Row } from '../support/output.ts'
import { formatRows } from '../support/output.ts'

export const statusCommand: CommandModule<object, CommonArguments> = {
  command: 'status',
  describe: 'Show how far the warehouse can be trusted: the latest run of each pipeline, and what is due next',
  handler: run(async (command) => {
    const { schedule } = command.config
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    const { rows } = await sql<Row & { reasons: string[] }>`
      select pipeline, coalesce(outcome, state) as outcome, run_id as run, started_at, round(seconds::numeric, 1) as seconds, last_ok_at, reasons
      from warehouse.run_status order by pipeline
    `.execute(warehouse.db)
    const next = nextDue(schedule, new Date()).toISOString()
    command.out.result({ pipelines: rows, next_due: next, scheduled: schedule.pipelines }, () =>
      [
        rows.length > 0
          ? formatRows(rows.map(withReasons), 'table')
          : 'Nothing has run yet. `talhouse run firms` pulls the firms.',
        `Due next: ${schedule.pipelines.join(', ')} at ${next}`,
      ].join('\n\n'),
    )
    return undefined
  }),
}

/** Reasons as a person reads them; scripts get the list. */
const withReasons = ({ reasons, ...row }: Row & { reasons: string[] }): Row => ({ ...row, reasons: reasons.join('; ') })
