import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { sleep } from '../lib/backoff.ts'

const POLL_MS = 200

interface Call {
  clientId: string
  taskId: string
  deadline: number
  resolve: (hasEnded: boolean) => void
  reject: (error: unknown) => void
}

/** Waits up to `seconds` for a client's task to finish. Returns true if the task has finished. */
export type AwaitTask = (clientId: string, taskId: string, seconds: number) => Promise<boolean>

/** Creates the function that waits for tasks. All waiting calls in a process share one query per interval. */
export function createTaskAwaiter(db: Db): AwaitTask {
  let calls: Call[] = []
  let isPolling = false

  async function poll(): Promise<void> {
    const ended = await endedTasks(db, calls)
    const now = performance.now()
    for (const { taskId, deadline, resolve } of calls)
      if (ended.has(taskId) || deadline <= now) resolve(ended.has(taskId))
    calls = calls.filter(({ taskId, deadline }) => !ended.has(taskId) && deadline > now)
  }

  async function pollUntilDone(): Promise<void> {
    isPolling = true
    while (calls.length > 0) {
      try {
        await poll()
      } catch (error) {
        for (const { reject } of calls) reject(error)
        calls = []
      }
      if (calls.length > 0) await sleep(POLL_MS)
    }
    isPolling = false
  }

  return (clientId, taskId, seconds) =>
    new Promise((resolve, reject) => {
      calls.push({ clientId, taskId, deadline: performance.now() + seconds * 1000, resolve, reject })
      if (!isPolling) void pollUntilDone()
    })
}

async function endedTasks(db: Db, calls: readonly Call[]): Promise<Set<string>> {
  const clients = calls.map(({ clientId }) => clientId)
  const tasks = calls.map(({ taskId }) => taskId)
  const { rows } = await sql<{ task_id: string }>`
    select task_id from task
    where (client_id, task_id) in (select * from unnest(${clients}::text[], ${tasks}::uuid[]))
      and completed_at is not null`.execute(db)
  return new Set(rows.map(({ task_id }) => task_id))
}
