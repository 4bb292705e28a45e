import { AppError, messageOf } from '../../src/lib/errors.ts'
import type { Pipeline } from '../runner/pipeline.ts'
import { runPart } from './run-part.ts'
import { finishPart, moveTo, nextPart, readBackfill, startUnlessPaused } from './store.ts'

/**
 * Runs the remaining parts of a backfill. A part is marked done in the transaction that writes its data, or after
 * idempotent writes, so an interrupted backfill resumes with the first part that is not done. A failed part does not
 * stop the remaining parts. A pause takes effect after the current part. Only one backfill runs at a time.
 */
export const runBackfill = (id: number): Pipeline => ({
  name: 'backfill',
  async run(context) {
    const { db } = context.warehouse
    const { state } = await readBackfill(db, id)
    if (state === 'completed') throw new AppError('conflict', `Backfill ${id} is already completed.`)
    // A backfill that was paused before it started stays paused.
    await startUnlessPaused(db, id)
    for (;;) {
      context.signal.throwIfAborted()
      const backfill = await readBackfill(db, id)
      context.progress(backfill.parts_done, backfill.parts)
      if (backfill.state === 'paused')
        return { reasons: [`paused: run \`talhouse backfill resume ${id}\` to continue`] }
      const part = await nextPart(db, id)
      if (!part) break
      try {
        await runPart(context, backfill, part)
      } catch (error) {
        // A part that was interrupted or lost its database connection is not marked failed, so the part runs again.
        if (context.signal.aborted || !(error instanceof AppError) || error.code === 'interrupted') throw error
        await finishPart(db, { id, number: part.number, runId: context.runId }, { error: messageOf(error) })
      }
    }
    const { parts_failed } = await readBackfill(db, id)
    await moveTo(db, id, parts_failed > 0 ? 'failed' : 'completed')
    if (parts_failed === 0) return { reasons: [] }
    return { reasons: [`${parts_failed} parts failed: run \`talhouse backfill retry-failed ${id}\` to retry them`] }
  },
})
