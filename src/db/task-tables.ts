import type { Generated } from 'kysely'

export type TaskState = 'queued' | 'running' | 'completed' | 'failed'

/** Result of one item of a task. */
export type Outcome = 'complete' | 'partial' | 'fresh' | 'not_found' | 'failed'

/** Column comments: `sql/service/0009_tasks.sql`. */
export interface TaskTables {
  task: {
    client_id: string
    task_id: string
    task_type: string
    state: Generated<TaskState>
    input: unknown
    callback_url: string | null
    units_charged: number
    units_refunded: Generated<number>
    units_to_refund: Generated<number>
    items_total: number
    items_done: Generated<number>
    items_failed: Generated<number>
    created_at: Generated<string>
    started_at: string | null
    completed_at: string | null
  }
  task_item: {
    client_id: string
    task_id: string
    item: number
    entity: 'company' | 'person'
    groups: string[]
    domain: string | null
    input: unknown
    cost: number
    state: Generated<TaskState>
    attempt: Generated<number>
    failures: Generated<number>
    outcome: Outcome | null
    reason: string | null
    output: unknown
    progress: Generated<number>
    started_at: string | null
    ended_at: string | null
  }
}
