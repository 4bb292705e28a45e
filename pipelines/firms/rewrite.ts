import { AppError } from '../../src/lib/errors.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { closeWalk, resumeWalk } from '../walk/walks.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import { isRejected } from '../warehouse/rejected-record.ts'
import { acceptRepair } from './coverage.ts'
import type { FirmRow } from './firm-record.ts'
import { readFirm } from './firm-record.ts'
import { writeFirmPages } from './write-pages.ts'

/**
 * Writes the records whose stored values differ, even if the row hash is equal. Moves the replaced row to
 * firm_previous, because warehouse users may have read it.
 */
export async function rewriteFirms(context: RunContext, records: readonly unknown[]): Promise<void> {
  const { db } = context.warehouse
  const read = records.map(readFirm)
  const rows = read.filter((firm): firm is FirmRow => !isRejected(firm))
  const rejected: RejectedRecord[] = read.filter(isRejected)
  if (read.length === 0) return
  const { walk, ranges } = await resumeWalk(db, 'firms-repair', context.runId)
  const [range] = ranges
  const page = { below: null, closed: false, keys: [], rejectedFirms: [], unidentifiedKeys: [], rows, rejected }
  const writer = { walkId: walk.id, runId: context.runId, ignoreHashes: true }
  const [written] =
    (range &&
      (await writeFirmPages(context.warehouse, writer, [
        { number: range.number, revision: range.revision, ...page },
      ]))) ??
    []
  if (!written)
    throw new AppError(
      'conflict',
      'A newer repair of firms has replaced this repair. Wait until the newer repair ends.',
    )
  await closeWalk(db, walk.id)
  await acceptRepair(db, context.runId)
  addCounts(context.counts, written)
}
