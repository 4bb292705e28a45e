import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { SharedPoll } from '../lib/shared-poll.ts'
import type { Task, TaskRow } from './read-task.ts'
import { itemsBegun, toTask } from './read-task.ts'

/** Number of newest tasks to check, and maximum number of unfinished tasks to return. */
const TASKS = 40

/**
 * Returns a function that yields a client's unfinished and recently finished tasks whenever one of them changes, until
 * the signal is aborted. All readers for a client share one query per second.
 */
export function createTaskWatch(db: Db): (clientId: string, signal: AbortSignal) => AsyncIterable<Task[]> {
  const polls = new Map<string, SharedPoll<Task[]>>()
  return async function* watch(clientId, signal) {
    const poll = polls.get(clientId) ?? new SharedPoll(() => readLiveTasks(db, clientId))
    polls.set(clientId, poll)
    try {
      yield* poll.watch(signal)
    } finally {
      if (poll.isIdle) polls.delete(clientId)
    }
  }
}

/** Reads the newest unfinished tasks, and the newest tasks that finished in the last minute. */
async function readLiveTasks(db: Db, clientId: string): Promise<Task[]> {
  const { rows } = await sql<TaskRow>`
    select *, ${itemsBegun} as items_begun from (
      (select * from task where client_id = ${clientId} order by created_at desc limit ${TASKS})
      union
      (select * from task where client_id = ${clientId} and state = 'running' order by created_at desc limit ${TASKS})
      union
      (select * from task where client_id = ${clientId} and state = 'queued' order by created_at desc limit ${TASKS})
    ) as task
    where completed_at is null or completed_at > clock_timestamp() - interval '1 minute'
    order by created_at desc, task_id`.execute(db)
  return rows.map(toTask)
}
