import { backoffDelay } from '../src/lib/backoff.ts'
import { AppError, messageOf } from '../src/lib/errors.ts'
import type { Pipeline, RunContext } from './runner/pipeline.ts'
import { addCounts } from './runner/pipeline.ts'
import { runPipeline } from './runner/run-pipeline.ts'
import type { Run } from './runner/runs.ts'
import { findRun, listSteps, noteReasons } from './runner/runs.ts'
import type { ListedPipeline } from './steps.ts'
import { NIGHTLY_STEPS } from './steps.ts'

/** Steps that are skipped if the list pull failed. */
const NEEDS_LIST: ReadonlySet<string> = new Set(['enrich-due', 'refresh-members', 'history', 'repair'])

/** Steps that are repeated after a retry of another step succeeds, so that they process its data. */
const FOLLOWING: ReadonlySet<string> = new Set(['refresh-members', 'staleness', 'history', 'expectations', 'export'])

/** The latest attempt at a step. */
interface Attempt {
  number: number
  reasons: string[]
  /** The reason the step did not complete. */
  failure?: string
  /** Whether another attempt may succeed without manual intervention. */
  retry: boolean
}

/**
 * The nightly run, with a child run for each step. After an interruption, the next run skips completed steps. If a step
 * fails, only the steps that depend on it are skipped. Failed steps, and steps that another process is running, are
 * retried until the deadline.
 */
export const nightly: Pipeline = {
  name: 'nightly',
  async run(context) {
    const deadline = await deadlineOf(context)
    const attempts = new Map<string, Attempt>()
    const done = await stepsDone(context)
    let steps = stepsAfter(done)
    for (let round = 1; ; round += 1) {
      await runSteps(context, steps, attempts)
      const names = retryableSteps(attempts)
      if (names.length === 0) break
      const retryAt = (await context.clock.now()).getTime() + retryWait(context, round)
      if (retryAt > deadline) break
      await waitUntil(context, retryAt, names, attempts)
      steps = NIGHTLY_STEPS.filter(({ name }) => names.includes(name) || FOLLOWING.has(name))
    }
    context.progress(NIGHTLY_STEPS.length, NIGHTLY_STEPS.length)
    const earlier = [...done].filter(([name]) => !attempts.has(name))
    const reasons = [
      ...earlier.flatMap(([name, told]) => told.map((reason) => `${name}: ${reason}`)),
      ...[...attempts].flatMap(([name, attempt]) => reasonsOf(name, attempt)),
    ]
    // The nightly run fails only if neither the list nor the firms could be pulled.
    if (['tal-members', 'firms'].every((name) => attempts.get(name)?.failure !== undefined))
      throw new AppError('upstream_failed', reasons.join('; '))
    return { reasons }
  },
}

const retryableSteps = (attempts: ReadonlyMap<string, Attempt>): string[] =>
  NIGHTLY_STEPS.map(({ name }) => name).filter((name) => attempts.get(name)?.retry)

/** Waits until the given time. Writes the reason to the log and to the run's row. */
async function waitUntil(
  { warehouse, clock, log, runId, signal, sleep }: RunContext,
  moment: number,
  names: string[],
  attempts: ReadonlyMap<string, Attempt>,
): Promise<void> {
  const until = new Date(moment).toISOString()
  log.warn({ steps: names, until }, 'retrying nightly steps after a wait')
  const reasons = names.flatMap((name) => {
    const { reasons: told = [], failure } = attempts.get(name) ?? {}
    return [...told.map((reason) => `${name}: ${reason}`), ...(failure ? [`${name} ${failure}`] : [])]
  })
  reasons.push(`waiting until ${until} to retry ${names.join(', ')}`)
  await noteReasons(warehouse.db, runId, reasons)
  await sleep(moment - (await clock.now()).getTime(), signal)
}

function reasonsOf(name: string, { number, reasons, failure }: Attempt): string[] {
  const told = reasons.map((reason) => `${name}: ${reason}`)
  if (failure === undefined) return told
  return [...told, number > 1 ? `${name} ${failure} (gave up after ${number} attempts)` : `${name} ${failure}`]
}

/**
 * Runs the steps in order and records each attempt. A completed step in FOLLOWING is repeated only if an earlier step
 * of this round has succeeded.
 */
async function runSteps(
  context: RunContext,
  steps: readonly ListedPipeline[],
  attempts: Map<string, Attempt>,
): Promise<void> {
  let hasNewData = attempts.size === 0
  for (const step of steps) {
    context.signal.throwIfAborted()
    context.progress(NIGHTLY_STEPS.indexOf(step), NIGHTLY_STEPS.length)
    const last = attempts.get(step.name)
    if (FOLLOWING.has(step.name) && last && !last.retry && !hasNewData) continue
    const list = attempts.get('tal-members')
    const outcome =
      NEEDS_LIST.has(step.name) && list?.failure !== undefined
        ? { reasons: [], failure: 'was skipped because the list could not be pulled', retry: list.retry }
        : await runStep(context, step)
    attempts.set(step.name, { number: (last?.number ?? 0) + 1, ...outcome })
    hasNewData ||= outcome.failure === undefined
  }
}

/** Runs a step. If the step is interrupted, throws its error, so that the nightly run also ends as interrupted. */
async function runStep(context: RunContext, step: Pipeline): Promise<Omit<Attempt, 'number'>> {
  const options = { requestedBy: 'parent', parentId: context.runId, signal: context.signal } as const
  const ended = await runPipeline(context, step, options).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'conflict') return error.message
    throw error
  })
  if (typeof ended === 'string') return { reasons: [], failure: `did not run: ${ended}`, retry: true }
  const { run, error } = ended
  if (run.state === 'interrupted' || run.state === 'abandoned')
    throw error ?? new AppError('interrupted', `${step.name} was interrupted`)
  add(context, run)
  if (run.outcome !== 'failed') return { reasons: run.reasons, retry: run.retryable }
  context.log.error({ step: step.name, reason: messageOf(error) }, 'nightly step failed')
  return {
    reasons: run.reasons,
    failure: `failed: ${run.error_message}`,
    retry: run.retryable,
  }
}

/** Returns the deadline for retries of failed steps, in milliseconds since the epoch. */
async function deadlineOf({ warehouse, runId, settings }: RunContext): Promise<number> {
  const run = (await findRun(warehouse.db, runId)) as Run
  return Date.parse(run.started_at) + settings.nightly.deadline_hours * 3_600_000
}

const retryWait = ({ settings: { nightly: retry } }: RunContext, round: number): number =>
  backoffDelay(round, { first: retry.retry_minutes * 60_000, longest: retry.max_retry_minutes * 60_000 })

/** Age at which an unfinished nightly run is no longer resumed. */
const OLDEST_NIGHT_MS = 12 * 60 * 60_000

/** The unfinished steps, and the steps in FOLLOWING that come after the first unfinished step. */
function stepsAfter(done: ReadonlyMap<string, string[]>): ListedPipeline[] {
  const first = NIGHTLY_STEPS.findIndex(({ name }) => !done.has(name))
  return NIGHTLY_STEPS.filter(({ name }, index) => !done.has(name) || (index > first && FOLLOWING.has(name)))
}

/**
 * The steps completed by the run that this run resumes, or by earlier runs in the same chain, with their degradation
 * reasons.
 */
async function stepsDone({ warehouse, runId, clock }: RunContext): Promise<Map<string, string[]>> {
  const done = new Map<string, string[]>()
  const now = await clock.now()
  let continued = (await findRun(warehouse.db, runId))?.continues_id ?? null
  while (continued !== null) {
    const run: Run | undefined = await findRun(warehouse.db, continued)
    if (!run || run.state === 'failed' || now.getTime() - Date.parse(run.started_at) > OLDEST_NIGHT_MS) break
    const steps = await listSteps(warehouse.db, run.id)
    for (const step of steps)
      if (step.state === 'completed' && !step.retryable && !done.has(step.pipeline))
        done.set(step.pipeline, step.reasons)
    continued = run.continues_id
  }
  return done
}

function add({ counts }: RunContext, { inserted, updated, unchanged, gone, quarantined, units }: Run): void {
  addCounts(counts, { inserted, updated, unchanged, gone, quarantined, units })
}
