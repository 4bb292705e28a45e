import type { AnyTask } from '../../src/client/enrichment.ts'
import type { RunContext } from '../runner/pipeline.ts'
import type { Submission } from './submissions.ts'
import { knownTasks } from './submissions.ts'

/** The interface's maximum. */
const TASK_LIST_LIMIT = 100
/** Tolerated difference between the clocks of service and warehouse. */
const SKEW_MS = 10 * 60_000

/**
 * Finds the task of a submission whose reply was lost: created since the intent, not linked to another submission, and for
 * the same companies. `never` means that there is certainly none; `unknown` that the service does not show enough.
 */
export async function findTask(
  { client, warehouse, signal }: RunContext,
  submission: Submission,
): Promise<AnyTask | 'never' | 'unknown'> {
  const since = Date.parse(submission.intended_at) - SKEW_MS
  const tasks = await client.tasks.list({ limit: TASK_LIST_LIMIT }, signal)
  const undated = tasks.some(({ created_at }) => typeof created_at !== 'string')
  const recent = tasks.filter(({ created_at }) => typeof created_at !== 'string' || Date.parse(created_at) >= since)
  const known = await knownTasks(
    warehouse.db,
    recent.map(({ id }) => id),
  )
  let unclear = undated || (tasks.length >= TASK_LIST_LIMIT && recent.length === tasks.length)
  for (const { id } of recent.filter((task) => !known.has(task.id))) {
    const task = await client.tasks.result(id, signal)
    const match = isFor(task, submission)
    if (match === true) return task
    if (match === undefined) unclear = true
  }
  return unclear ? 'unknown' : 'never'
}

/** Submission kinds by task type, as named by the interface and by talhouse. */
const KINDS: Readonly<Record<string, Submission['kind']>> = {
  tal_enrich: 'list',
  enrich_batch: 'batch',
  leadership_search: 'leadership',
  signal_discovery: 'signals',
}

/** Undefined if the service does not show the task's input. */
function isFor({ input_data: input, task_type }: AnyTask, { kind, domains }: Submission): boolean | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const known = KINDS[task_type ?? '']
  const given = 'domains' in input && Array.isArray(input.domains) ? (input.domains as unknown[]) : undefined
  // Other hosts may use other task types for lists and batches; then the companies decide.
  if (kind === 'list') return given ? sameDomains(given, domains) : known === 'list'
  if (known !== undefined && known !== kind) return false
  return given !== undefined && sameDomains(given, domains)
}

function sameDomains(given: readonly unknown[], domains: readonly string[]): boolean {
  return given.length === domains.length && new Set(given).size === new Set([...given, ...domains]).size
}
