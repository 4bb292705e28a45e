import type { SnapshotOptions } from '../../../../pipelines/snapshot/create-snapshot.ts'
import { createSnapshot } from '../../../../pipelines/snapshot/create-snapshot.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { databaseClock } from '../../../lib/database-clock.ts'
import { pluralize } from '../../../lib/pluralize.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { sinkOf, snapshotFormat } from '../../support/sink.ts'
import { auditedInWarehouse } from '../../support/warehouse-audit.ts'

export const create: Handler<{ spreadsheet: boolean }> = async (command, { spreadsheet }) => {
  const { config, out, signal } = command
  const sink = await sinkOf(config)
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  const options: SnapshotOptions = {
    variant: spreadsheet ? 'spreadsheet' : 'exact',
    ...snapshotFormat(config),
    clock: databaseClock(warehouse.db),
    signal,
    onTable: ({ name, rows, parts }) =>
      out.note(`${name}: ${pluralize(rows, 'row')} in ${pluralize(parts.length, 'part')}`),
  }
  const { manifest, isLatest } = await auditedInWarehouse(
    warehouse.db,
    { action: 'snapshot.create', target: sink.url },
    () => createSnapshot(warehouse, sink, options),
  )
  out.result({ id: manifest.id, url: sink.url, latest: isLatest, tables: manifest.tables }, () =>
    [`Created snapshot ${manifest.id} in ${sink.url}`, `Verify it: talhouse snapshot verify ${manifest.id}`].join('\n'),
  )
}
