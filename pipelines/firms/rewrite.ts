import { AppError } from '../../src/lib/errors.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { closeWalk, resumeWalk } from '../walk/walks.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import { isRejected } from '../warehouse/rejected-record.ts'
import type { FirmRow } from './firm-record.ts'
import { readFirm } from './firm-record.ts'
import { writeFirmPage } from './write-page.ts'

/**
 * Writes the records whose cells in the warehouse are not theirs, whatever the hash beside the cells says. The state that was replaced goes
 * to firm_previous: that is what the warehouse had said.
 */
export async function rewriteFirms(context: RunContext, records: readonly unknown[]): Promise<void> {
  const { db } = context.warehouse
  const read = records.map(readFirm)
  const rows = read.filter((firm): firm is FirmRow => !isRejected(firm))
  const rejected: RejectedRecord[] = read.filter(isRejected)
  if (read.length === 0) return
  const { walk, ranges } = await resumeWalk(db, 'firms-repair', context.runId)
  const [range] = ranges
  const written =
    range &&
    (await writeFirmPage(context.warehouse, {
      walkId: walk.id,
      number: range.number,
      revision: range.revision,
      runId: context.runId,
      below: null,
      closed: false,
      keys: [],
      rejectedFirms: [],
      unidentifiedKeys: [],
      rows,
      rejected,
      distrust: true,
    }))
  if (!written) throw new AppError('conflict', 'Another repair of the firms took this one over.')
  await closeWalk(db, walk.id)
  addCounts(context.counts, written)
}
