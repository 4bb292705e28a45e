import type { AnyTask } from '../../src/client/enrichment.ts'
import type { RunContext } from '../runner/pipeline.ts'
import type { Submission } from './submissions.ts'
import { knownTasks } from './submissions.ts'

/** As many as the interface lets a list hold. */
const LISTED = 100
/** How far the service's clock may be behind the warehouse's. */
const SKEW_MS = 10 * 60_000

/**
 * The task that a submission became, by what the service shows of its tasks: created since the intent, not known as another
 * submission, and for the same companies. `never`: certainly none. `unknown`: it cannot be told, and must not be taken for none.
 */
export async function findTask(
  { client, warehouse, signal }: RunContext,
  submission: Submission,
): Promise<AnyTask | 'never' | 'unknown'> {
  const since = Date.parse(submission.intended_at) - SKEW_MS
  const tasks = await client.tasks.list({ limit: LISTED }, signal)
  const undated = tasks.some(({ created_at }) => typeof created_at !== 'string')
  const recent = tasks.filter(({ created_at }) => typeof created_at !== 'string' || Date.parse(created_at) >= since)
  const known = await knownTasks(
    warehouse.db,
    recent.map(({ id }) => id),
  )
  let unclear = undated || (tasks.length >= LISTED && recent.length === tasks.length)
  for (const { id } of recent.filter((task) => !known.has(task.id))) {
    const task = await client.tasks.result(id, signal)
    const match = isFor(task, submission)
    if (match === true) return task
    if (match === undefined) unclear = true
  }
  return unclear ? 'unknown' : 'never'
}

/** Kinds of submissions by the types of their tasks, as far as the interface and talhouse name them. */
const KINDS: Readonly<Record<string, Submission['kind']>> = {
  tal_enrich: 'list',
  enrich_batch: 'batch',
  leadership_search: 'leadership',
  signal_discovery: 'signals',
}

/** Undefined when the service does not show what the task was for. */
function isFor({ input_data: input, task_type }: AnyTask, { kind, domains }: Submission): boolean | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const known = KINDS[task_type ?? '']
  const given = 'domains' in input && Array.isArray(input.domains) ? (input.domains as unknown[]) : undefined
  // Another host may name the type of a list's task, or of a batch, as it likes, and show the companies.
  if (kind === 'list') return given ? sameDomains(given, domains) : known === 'list'
  if (known !== undefined && known !== kind) return false
  return given !== undefined && sameDomains(given, domains)
}

function sameDomains(given: readonly unknown[], domains: readonly string[]): boolean {
  return given.length === domains.length && new Set(given).size === new Set([...given, ...domains]).size
}
