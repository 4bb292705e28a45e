import { createSnapshot } from '../../../../pipelines/snapshot/create-snapshot.ts'
import { databaseClock } from '../../../lib/database-clock.ts'
import { pluralize } from '../../../lib/pluralize.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { sinkOf } from '../../support/sink.ts'

export const create: Handler<{ spreadsheet: boolean }> = async (command, { spreadsheet }) => {
  const { config, out, signal } = command
  const sink = await sinkOf(config)
  await using warehouse = await openWarehouse<unknown>(command)
  const { manifest, isLatest } = await createSnapshot(warehouse, sink, {
    variant: spreadsheet ? 'spreadsheet' : 'exact',
    partBytes: config.snapshot.part_mb * 1024 * 1024,
    views: config.snapshot.views,
    clock: databaseClock(warehouse.db),
    signal,
    onTable: ({ name, rows, parts }) =>
      out.note(`${name}: ${pluralize(rows, 'row')} in ${pluralize(parts.length, 'part')}`),
  })
  out.result({ id: manifest.id, url: sink.url, latest: isLatest, tables: manifest.tables }, () =>
    [`Created snapshot ${manifest.id} in ${sink.url}`, `Verify it: talhouse snapshot verify ${manifest.id}`].join('\n'),
  )
}
