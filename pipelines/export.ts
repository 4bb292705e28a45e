import type { Pipeline } from './pipeline.ts'
import { createSnapshot } from './snapshot/create-snapshot.ts'
import { expireSnapshots } from './snapshot/expire-snapshots.ts'

/** Exports the warehouse as a snapshot, and lets go of those that are older than what is kept. */
export const exportSnapshot: Pipeline = {
  name: 'export',
  description: 'Export the warehouse as a snapshot',
  async run(context) {
    const { open, ...settings } = context.snapshots
    const sink = await open()
    let tables = 0
    const { manifest } = await createSnapshot(context.warehouse, sink, {
      ...settings,
      clock: context.clock,
      signal: context.signal,
      onTable: () => context.progress(++tables),
    })
    context.counts.inserted += manifest.tables.reduce((rows, table) => rows + table.rows, 0)
    await expireSnapshots(sink, settings.keep, context.clock.now())
    return { reasons: [] }
  },
}
