import type { Outcome, TaskState } from '../db/task-tables.ts'

/** Where a task, and each of its items, may go. A task with nothing to do is born `completed`. */
export const TRANSITIONS = {
  queued: ['running', 'failed'], // queued -> failed: its attempts were used up before one could begin
  running: ['completed', 'failed', 'queued'], // running -> queued: the attempt was lost or may be tried again
  completed: [],
  failed: [],
} as const satisfies Record<TaskState, readonly TaskState[]>

/** The states from which `to` may be reached: what a guarded change names in its `where`. */
export function statesBefore(to: TaskState): TaskState[] {
  const all = Object.entries(TRANSITIONS) as [TaskState, readonly TaskState[]][]
  return all.filter(([, next]) => next.includes(to)).map(([from]) => from)
}

/** Not yet ended. */
export const UNFINISHED = ['queued', 'running'] as const satisfies readonly TaskState[]

/** An item that failed is told apart from one that looked and found nothing. */
export const stateOf = (outcome: Outcome): 'completed' | 'failed' => (outcome === 'failed' ? 'failed' : 'completed')

/** What was paid for and not received is given back. Of what is `fresh` nothing was received: no source was asked. */
export const isRefunded = (outcome: Outcome): boolean =>
  outcome === 'failed' || outcome === 'not_found' || outcome === 'fresh'

export const TASK_TYPES = [
  'enrich_company',
  'enrich_company_with_leadership',
  'enrich_company_with_signals',
  'enrich_company_with_leadership_and_signals',
  'enrich_person',
  'enrich_batch',
  'leadership_search',
  'signal_discovery',
  'tal_enrich',
] as const

export type TaskType = (typeof TASK_TYPES)[number]
