import type { Run } from '../../../../pipelines/runner/runs.ts'
import { findRun, listSteps } from '../../../../pipelines/runner/runs.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { AppError } from '../../../lib/errors.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { runText, stepsText } from '../../support/run-text.ts'

export const show: Handler<{ id: number }> = async (command, { id }) => {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  const run = await findRun(warehouse.db, id)
  if (!run) throw new AppError('not_found', `Run ${id} does not exist. List runs with \`talhouse runs list\`.`)
  const steps = await listSteps(warehouse.db, run.id)
  command.out.result({ ...run, steps }, () => [details(run), stepsText(run, steps)].join('\n').trimEnd())
}

function details(run: Run): string {
  const lines = [
    `started ${run.started_at}, ${run.ended_at === null ? `last heartbeat ${run.heartbeat_at}` : `ended ${run.ended_at}`}`,
    `requested by ${run.requested_by}${run.scheduled_for ? ` for ${run.scheduled_for}` : ''}; process ${run.holder.pid} on ${run.holder.host}`,
    ...(run.total === null ? [] : [`${run.done} of ${run.total} done`]),
    ...(run.parent_id === null ? [] : [`step of run ${run.parent_id}`]),
    ...(run.continues_id === null ? [] : [`resumed run ${run.continues_id}`]),
  ]
  return [runText(run), ...lines.map((line) => `  ${line}`)].join('\n')
}
