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

/** The steps of a night, in order. */
export const NIGHTLY_STEPS: readonly Pipeline[] = [
  talMembers,
  firms,
  enrichDue,
  refreshMembers,
  // After enrichment, so the counts include it.
  staleness,
  history,
  exportSnapshot,
]

/** Skipped when the list could not be pulled. */
const NEEDS_LIST: ReadonlySet<string> = new Set([enrichDue.name, refreshMembers.name, history.name])

/**
 * The whole night as one run, with each step as a child run. An interrupted night resumes: completed steps are not
 * repeated. A failed step stops only the steps that depend on it.
 */
export const nightly: Pipeline = {
  name: 'nightly',
  description: 'Run all steps of the night in order',
  async run(context) {
    const done = await stepsDone(context)
    const reasons: string[] = []
    const failed: string[] = []
    for (const [index, step] of NIGHTLY_STEPS.entries()) {
      context.signal.throwIfAborted()
      context.progress(index, NIGHTLY_STEPS.length)
      if (done.has(step.name)) continue
      if (failed.includes(talMembers.name) && NEEDS_LIST.has(step.name)) {
        reasons.push(`${step.name} was skipped because the list could not be pulled`)
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
    // Fails only if neither the list nor the firms could be pulled.
    if ([talMembers, firms].every(({ name }) => failed.includes(name)))
      throw new AppError('upstream_failed', reasons.join('; '))
    return { reasons }
  },
}

/** Runs a step. An interrupted step interrupts the night. */
async function runStep(context: RunContext, step: Pipeline): Promise<Run> {
  const { run, error } = await runPipeline(context, step, {
    requestedBy: 'parent',
    parentId: context.runId,
    signal: context.signal,
  })
  if (run.state === 'interrupted' || run.state === 'abandoned')
    throw error ?? new AppError('interrupted', `${step.name} was interrupted`)
  if (error !== undefined) context.log.error({ step: step.name, reason: messageOf(error) }, 'nightly step failed')
  return run
}

/** An older night is not resumed. */
const OLDEST_NIGHT_MS = 12 * 60 * 60_000

/** Steps completed by the run that this one resumes, and by the runs that that one resumed. */
async function stepsDone({ warehouse, runId, clock }: RunContext): Promise<Set<string>> {
  const done = new Set<string>()
  const now = await clock.now()
  let continued = (await findRun(warehouse.db, runId))?.continues_id ?? null
  while (continued !== null) {
    const run: Run | undefined = await findRun(warehouse.db, continued)
    if (!run || run.state === 'failed' || now.getTime() - Date.parse(run.started_at) > OLDEST_NIGHT_MS) break
    const steps = await listSteps(warehouse.db, run.id)
    for (const step of steps) if (step.state === 'completed') done.add(step.pipeline)
    continued = run.continues_id
  }
  return done
}

function add({ counts }: RunContext, { inserted, updated, unchanged, gone, quarantined, units }: Run): void {
  addCounts(counts, { inserted, updated, unchanged, gone, quarantined, units })
}
