import { AppError } from '../../src/lib/errors.ts'
import type { RunContext } from '../pipeline.ts'
import { addCounts } from '../pipeline.ts'
import { closeWalk, takeUpWalk } from '../state/walks.ts'
import type { FirmRow, Misfit } from '../warehouse/firm-record.ts'
import { isMisfit, readFirm } from '../warehouse/firm-record.ts'
import { writeFirmPage } from '../warehouse/write-firm-page.ts'

/**
 * Writes the records whose cells in the warehouse are not theirs, whatever the hash beside the cells says. The state that was replaced goes
 * to firm_past: that is what the warehouse had said.
 */
export async function rewriteFirms(context: RunContext, records: readonly unknown[]): Promise<void> {
  const { db } = context.warehouse
  const read = records.map(readFirm)
  const rows = read.filter((firm): firm is FirmRow => !isMisfit(firm))
  const misfits: Misfit[] = read.filter(isMisfit)
  if (read.length === 0) return
  const { walk, ranges } = await takeUpWalk(db, 'firms-repair', context.runId)
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
      unfitFirms: [],
      unread: [],
      rows,
      misfits,
      distrust: true,
    }))
  if (!written) throw new AppError('conflict', 'Another repair of the firms took this one over.')
  await closeWalk(db, walk.id)
  addCounts(context.counts, written)
}
