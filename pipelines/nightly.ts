import { AppError, messageOf } from '../src/lib/errors.ts'
import { enrichDue } from './enrich/pipeline.ts'
import { firms } from './firms/pipeline.ts'
import { history } from './history/pipeline.ts'
import { talMembers } from './members/pipeline.ts'
import { refreshMembers } from './members/refresh.ts'
import type { Pipeline, RunContext } from './runner/pipeline.ts'
import { addCounts } from './runner/pipeline.ts'
import { runPipeline } from './runner/run-pipeline.ts'
import type { Run } from './runner/runs.ts'
import { findRun, listSteps } from './runner/runs.ts'
import { exportSnapshot } from './snapshot/pipeline.ts'
import { staleness } from './staleness/pipeline.ts'

/** A night, top to bottom. */
export const NIGHTLY_STEPS: readonly Pipeline[] = [
  talMembers,
  firms,
  enrichDue,
  refreshMembers,
  // Judged when everything that the night could do for it is done.
  staleness,
  history,
  exportSnapshot,
]

/** Nothing is bought, and nothing followed, on a list that could not be pulled. */
const NEEDS_LIST: ReadonlySet<string> = new Set([enrichDue.name, refreshMembers.name, history.name])

/**
 * The whole night as one run: each step is a run of its own below it. A night that died in the middle is gone on with: what its
 * steps had completed is not done again. A step that fails does not stop those that can do without it.
 */
export const nightly: Pipeline = {
  name: 'nightly',
  description: 'The whole night: members, firms, enrichment, freshness, history, export',
  async run(context) {
    const done = await stepsDone(context)
    const reasons: string[] = []
    const failed: string[] = []
    for (const [index, step] of NIGHTLY_STEPS.entries()) {
      context.signal.throwIfAborted()
      context.progress(index, NIGHTLY_STEPS.length)
      if (done.has(step.name)) continue
      if (failed.includes(talMembers.name) && NEEDS_LIST.has(step.name)) {
        reasons.push(`${step.name} was left out: the list could not be pulled`)
        continue
      }
      const run = await runStep(context, step)
      add(context, run)
      reasons.push(...run.reasons.map((reason) => `${step.name}: ${reason}`))
      if (run.outcome !== 'failed') continue
      failed.push(step.name)
      reasons.push(`${step.name} failed: ${run.error_message}`)
    }
    context.progress(NIGHTLY_STEPS.length, NIGHTLY_STEPS.length)
    // Without the list and without the firms there was no night.
    if ([talMembers, firms].every(({ name }) => failed.includes(name)))
      throw new AppError('upstream_failed', reasons.join('; '))
    return { reasons }
  },
}

/** A step that is interrupted interrupts the night. */
async function runStep(context: RunContext, step: Pipeline): Promise<Run> {
  const { run, error } = await runPipeline(context, step, {
    requestedBy: 'parent',
    parentId: context.runId,
    signal: context.signal,
  })
  if (run.state === 'interrupted' || run.state === 'abandoned')
    throw error ?? new AppError('interrupted', `${step.name} was interrupted`)
  if (error !== undefined)
    context.log.error({ step: step.name, reason: messageOf(error) }, 'a step of the night failed')
  return run
}

/** A night older than this is over: its steps are of another day. */
const OLDEST_NIGHT_MS = 12 * 60 * 60_000

/** Steps that were completed by the run which this one goes on with, and by those before it. */
async function stepsDone({ warehouse, runId, clock }: RunContext): Promise<Set<string>> {
  const done = new Set<string>()
  let continued = (await findRun(warehouse.db, runId))?.continues_id ?? null
  while (continued !== null) {
    const run: Run | undefined = await findRun(warehouse.db, continued)
    if (!run || run.state === 'failed' || clock.now().getTime() - Date.parse(run.started_at) > OLDEST_NIGHT_MS) break
    const steps = await listSteps(warehouse.db, run.id)
    for (const step of steps) if (step.state === 'completed') done.add(step.pipeline)
    continued = run.continues_id
  }
  return done
}

function add({ counts }: RunContext, { inserted, updated, unchanged, gone, quarantined, units }: Run): void {
  addCounts(counts, { inserted, updated, unchanged, gone, quarantined, units })
}
