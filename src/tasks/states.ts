import type { Outcome, TaskState } from '../db/task-tables.ts'

/** Allowed state transitions of tasks and items. A task without work starts as `completed`. */
export const TRANSITIONS = {
  queued: ['running', 'failed'], // failed: all attempts were used
  running: ['completed', 'failed', 'queued'], // queued: the attempt will be retried, or its job was lost
  completed: [],
  failed: [],
} as const satisfies Record<TaskState, readonly TaskState[]>

/** States that can change to `to`, used in guarded updates. */
export function statesBefore(to: TaskState): TaskState[] {
  const all = Object.entries(TRANSITIONS) as [TaskState, readonly TaskState[]][]
  return all.filter(([, next]) => next.includes(to)).map(([from]) => from)
}

/** States of unfinished work. */
export const UNFINISHED = ['queued', 'running'] as const satisfies readonly TaskState[]

/** The state for an outcome. Only `failed` outcomes fail an item; a search without results completes the item. */
export const stateOf = (outcome: Outcome): 'completed' | 'failed' => (outcome === 'failed' ? 'failed' : 'completed')
