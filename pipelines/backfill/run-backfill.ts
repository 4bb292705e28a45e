import { AppError, messageOf } from '../../src/lib/errors.ts'
import type { Pipeline } from '../runner/pipeline.ts'
import { doPart } from './do-part.ts'
import { moveTo, nextPart, notePart, readBackfill, startUnlessPaused } from './store.ts'

/**
 * Does what is left of a backfill, part by part: each is committed with its data, so that a killed one goes on behind it. A part that fails
 * is set aside, and the others go on. Somebody who pauses it is heard between two parts. One backfill runs at a time.
 */
export const runBackfill = (id: number): Pipeline => ({
  name: 'backfill',
  description: `Carry out backfill ${id}`,
  async run(context) {
    const { db } = context.warehouse
    const { state } = await readBackfill(db, id)
    if (state === 'completed') throw new AppError('conflict', `Backfill ${id} is completed already.`)
    // A pause that came before the start is one: it is not overwritten.
    await startUnlessPaused(db, id)
    for (;;) {
      context.signal.throwIfAborted()
      const backfill = await readBackfill(db, id)
      context.progress(backfill.parts_done, backfill.parts)
      if (backfill.state === 'paused')
        return { reasons: [`paused: \`talhouse backfill resume ${id}\` goes on with it`] }
      const part = await nextPart(db, id)
      if (!part) break
      try {
        await doPart(context, backfill, part)
      } catch (error) {
        // What was told to stop, or lost its database, has not failed: it is done again.
        if (context.signal.aborted || !(error instanceof AppError) || error.code === 'interrupted') throw error
        await notePart(db, { id, number: part.number, runId: context.runId }, { error: messageOf(error) })
      }
    }
    const { parts_failed } = await readBackfill(db, id)
    await moveTo(db, id, parts_failed > 0 ? 'failed' : 'completed')
    if (parts_failed === 0) return { reasons: [] }
    return { reasons: [`${parts_failed} parts failed: \`talhouse backfill retry-failed ${id}\` tries them again`] }
  },
})
