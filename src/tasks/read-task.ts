import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { TaskType } from '../contract/tasks.ts'
import type { Db } from '../db/database.ts'
import type { TaskState, TaskTables } from '../db/task-tables.ts'
import { AppError } from '../lib/errors.ts'
import { isUuid } from '../lib/uuid.ts'
import { REPORTED_ITEMS } from './item-progress.ts'

export interface Task {
  id: string
  task_type: TaskType
  status: TaskState
  /**
   * Share of items that have finished, 0 to 1. An unfinished item counts as the share of its sources that have
   * responded.
   */
  progress: number
  created_at: string
  completed_at: string | null
  units_charged: number
  units_refunded: number
}

export type TaskRow = Selectable<TaskTables['task']> & { items_begun: number }
export type ItemRow = Selectable<TaskTables['task_item']>

/** Combined progress of all unfinished items, expressed in items. */
export const itemsBegun = sql<number>`case when completed_at is null and items_total <= ${sql.lit(REPORTED_ITEMS)} then (
  select round(coalesce(sum(progress), 0)::numeric, 3)::float8 from task_item
  where task_item.client_id = task.client_id and task_item.task_id = task.task_id and ended_at is null) else 0 end`

/** Lists the client's tasks, newest first, optionally filtered by state. */
export async function listTasks(
  db: Db,
  clientId: string,
  { status, limit, offset = 0 }: { status?: TaskState | undefined; limit: number; offset?: number },
): Promise<Task[]> {
  const rows = await db
    .selectFrom('task')
    .selectAll()
    .select(itemsBegun.as('items_begun'))
    .where('client_id', '=', clientId)
    .$if(status !== undefined, (query) => query.where('state', '=', status as TaskState))
    .orderBy('created_at', 'desc')
    .orderBy('task_id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toTask)
}

/** Reads one of the client's tasks. Throws `not_found` for an unknown task or a task of another client. */
export async function readTask(db: Db, clientId: string, taskId: string): Promise<Task> {
  return toTask(await findRow(db, clientId, taskId))
}

/** Finds a task's client, for operators who know only the task ID. Throws `not_found`. */
export async function clientOfTask(db: Db, taskId: string): Promise<string> {
  const row = isUuid(taskId)
    ? await db.selectFrom('task').select('client_id').where('task_id', '=', taskId).executeTakeFirst()
    : undefined
  if (!row) throw new AppError('not_found', `Task ${taskId} not found.`)
  return row.client_id
}

/** A task with its request and its current items. Throws `not_found`. */
export async function readTaskWithItems(
  db: Db,
  clientId: string,
  taskId: string,
): Promise<{ task: Task; input: object; items: ItemRow[] }> {
  const row = await findRow(db, clientId, taskId)
  const items = await db
    .selectFrom('task_item')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('task_id', '=', taskId)
    .orderBy('item')
    .execute()
  return { task: toTask(row), input: row.input as object, items }
}

async function findRow(db: Db, clientId: string, taskId: string): Promise<TaskRow> {
  const row = isUuid(taskId)
    ? await db
        .selectFrom('task')
        .selectAll()
        .select(itemsBegun.as('items_begun'))
        .where('client_id', '=', clientId)
        .where('task_id', '=', taskId)
        .executeTakeFirst()
    : undefined
  if (!row) throw new AppError('not_found', 'Task not found. List your tasks with GET /v2/tasks.')
  return row
}

export function toTask(row: TaskRow): Task {
  return {
    id: row.task_id,
    task_type: row.task_type as TaskType,
    status: row.state,
    progress: row.items_total === 0 ? 1 : (row.items_done + row.items_begun) / row.items_total,
    created_at: row.created_at,
    completed_at: row.completed_at,
    units_charged: row.units_charged,
    units_refunded: row.units_refunded,
  }
}
