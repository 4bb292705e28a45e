import type { Pipeline } from '../runner/pipeline.ts'
import { createSnapshot } from './create-snapshot.ts'
import { expireSnapshots } from './expire-snapshots.ts'
import { damagedReason } from './list-snapshots.ts'

/** Exports the warehouse as a snapshot and removes expired snapshots. */
export const exportSnapshot: Pipeline = {
  name: 'export',
  async run(context) {
    const { open, ...settings } = context.snapshots
    const sink = await open()
    let exported = 0
    await createSnapshot(context.warehouse, sink, {
      ...settings,
      clock: context.clock,
      signal: context.signal,
      onTable: ({ rows }) => {
        exported += rows
        context.progress(exported)
      },
    })
    const { damaged } = await expireSnapshots(sink, settings.keep)
    return { reasons: damaged.map(damagedReason) }
  },
}
