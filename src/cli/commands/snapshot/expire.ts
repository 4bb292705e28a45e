import { expireSnapshots } from '../../../../pipelines/snapshot/expire-snapshots.ts'
import { damagedReason } from '../../../../pipelines/snapshot/list-snapshots.ts'
import { pluralize } from '../../../lib/pluralize.ts'
import type { Handler } from '../../support/definition.ts'
import { sinkOf } from '../../support/sink.ts'

export const expire: Handler = async ({ config, out }) => {
  const expired = await expireSnapshots(await sinkOf(config), config.snapshot.keep)
  for (const id of expired.damaged) out.note(damagedReason(id))
  out.result(
    expired,
    () =>
      `Deleted ${pluralize(expired.snapshots.length, 'snapshot')} and ${pluralize(expired.leftovers, 'orphaned file')}.`,
  )
}
