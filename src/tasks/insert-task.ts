import { sql } from 'kysely'
import type { TaskType } from '../contract/tasks.ts'
import type { Db } from '../db/database.ts'
import type { Outcome } from '../db/task-tables.ts'
import type { FieldGroup } from '../findings/provider.ts'
import { prepared } from '../lib/prepared-statements.ts'

/** A company or person in a new task. */
export interface PlannedItem {
  entity: 'company' | 'person'
  groups: readonly FieldGroup[]
  domain: string | null
  /** The person's identifiers, or the search limits. */
  input: object
  /** Cost in units, included in the task's charge. */
  cost: number
  /** The result of an item that needs no work. */
  completed?: { outcome: Extract<Outcome, 'fresh'>; output: object }
}

export interface NewTask {
  clientId: string
  taskId: string
  taskType: TaskType
  /** The request as submitted. */
  input: object
  callbackUrl: string | null
  unitsCharged: number
  items: readonly PlannedItem[]
}

/**
 * Inserts a task and its items, numbered from 1, in one statement. A task whose items need no work is completed
 * immediately.
 */
export async function insertTask(trx: Db, task: NewTask): Promise<void> {
  const items = task.items.map(({ completed, ...item }, index) => ({ ...item, ...completed, item: index + 1 }))
  const done = task.items.filter(({ completed }) => completed).length
  const state = done === items.length ? 'completed' : 'queued'
  await sql`${prepared}
    with parent as (
      insert into task (client_id, task_id, task_type, state, input, callback_url, units_charged, items_total, items_done,
        started_at, completed_at)
      values (${task.clientId}, ${task.taskId}::uuid, ${task.taskType}, ${state}, ${JSON.stringify(task.input)}::jsonb,
        ${task.callbackUrl}, ${task.unitsCharged}, ${items.length}, ${done},
        ${state === 'completed' ? sql`clock_timestamp()` : null}, ${state === 'completed' ? sql`clock_timestamp()` : null})
    )
    insert into task_item (client_id, task_id, item, entity, groups, domain, input, cost, state, outcome, output, ended_at)
    select ${task.clientId}, ${task.taskId}::uuid, row.item, row.entity,
      array(select jsonb_array_elements_text(row.groups)), row.domain, row.input, row.cost,
      case when row.outcome is null then 'queued' else 'completed' end, row.outcome, row.output,
      case when row.outcome is null then null else clock_timestamp() end
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as row
      (item integer, entity text, groups jsonb, domain text, input jsonb, cost integer, outcome text, output jsonb)`.execute(
    trx,
  )
}
