import { AppError, messageOf } from '../../src/lib/errors.ts'
import type { Pipeline } from '../runner/pipeline.ts'
import { runPart } from './run-part.ts'
import { finishPart, moveTo, nextPart, readBackfill, startUnlessPaused } from './store.ts'

/**
 * Runs the remaining parts of a backfill. Each part is committed together with its data, so an interrupted backfill
 * resumes with the next part. A failed part does not stop the others. A pause takes effect between two parts. Only one
 * backfill runs at a time.
 */
export const runBackfill = (id: number): Pipeline => ({
  name: 'backfill',
  description: `Run backfill ${id}`,
  async run(context) {
    const { db } = context.warehouse
    const { state } = await readBackfill(db, id)
    if (state === 'completed') throw new AppError('conflict', `Backfill ${id} is already completed.`)
    // A pause requested before the start takes effect.
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
        // A part that was interrupted or lost its database connection has not failed and will run again.
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
