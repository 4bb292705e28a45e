import { damagedReason, listSnapshots } from '../../../../pipelines/snapshot/list-snapshots.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRows } from '../../support/output.ts'
import { sinkOf } from '../../support/sink.ts'

export const list: Handler = async ({ config, out }) => {
  const sink = await sinkOf(config)
  const { snapshots, damaged } = await listSnapshots(sink)
  const rows = snapshots.map((snapshot) => ({ ...snapshot }))
  for (const id of damaged) out.note(damagedReason(id))
  out.result(snapshots, () =>
    rows.length > 0
      ? formatRows(rows, 'table')
      : `No snapshots in ${sink.url} yet. Create one with \`talhouse snapshot create\`.`,
  )
}
