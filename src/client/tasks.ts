import type { Task, TaskPage, TaskQuery, TaskResult } from '../contract/tasks.ts'
import { sleep, withSignal } from './abort.ts'
import { TimeoutError } from './errors.ts'
import type { Input } from './input.ts'
import type { RequestOptions, Send } from './options.ts'
import type { Paged } from './paged.ts'
import { pagedByOffset } from './paged.ts'
import { pathOf } from './path.ts'

export type TaskInput = Input<TaskQuery>

export interface TaskWaitOptions extends Omit<RequestOptions, 'timeout'> {
  /** Milliseconds until TimeoutError; the task itself continues. @default 600_000 */
  timeout?: number | undefined
  /** Milliseconds between requests. @default 250, increasing to 2,000 */
  interval?: number | undefined
  /** Called after every change in status or progress, including the last change. */
  onProgress?: ((task: Task) => void) | undefined
}

export interface TasksClient {
  /** Tasks of the caller, newest first. */
  list(query?: TaskInput, options?: RequestOptions): Paged<TaskPage, Task>
  get(id: string, options?: RequestOptions): Promise<Task>
  /** The task with its request and output, which is null until the task ends. */
  result(id: string, options?: RequestOptions): Promise<TaskResult>
  /** Waits until the task has ended and returns its result. Also returns failed tasks, so check `status`. */
  wait(id: string, options?: TaskWaitOptions): Promise<TaskResult>
}

const FIRST_INTERVAL = 250
const LONGEST_INTERVAL = 2000

export function tasksClient(send: Send): TasksClient {
  const client: TasksClient = {
    list: (query = {}, options) =>
      pagedByOffset(
        query.offset,
        (offset) => send<TaskPage>({ method: 'GET', path: '/v2/tasks', query: { ...query, offset } }, options),
        ({ tasks }) => tasks,
      ),
    get: (id, options) => send({ method: 'GET', path: pathOf('v2', 'tasks', id) }, options),
    result: (id, options) => send({ method: 'GET', path: pathOf('v2', 'tasks', id, 'result') }, options),
    wait: async (id, { timeout = 600_000, interval, onProgress, signal, onResponse } = {}) => {
      const deadline = Date.now() + timeout
      const options = { signal, onResponse }
      let shown: Task | undefined
      for (let delay = interval ?? FIRST_INTERVAL; ; delay = interval ?? Math.min(delay * 1.5, LONGEST_INTERVAL)) {
        const task = await client.get(id, options)
        if (task.status !== shown?.status || task.progress !== shown.progress) onProgress?.(task)
        shown = task
        if (task.completed_at !== null) return await client.result(id, options)
        if (Date.now() + delay > deadline)
          throw new TimeoutError(
            `Task ${id} has not ended after ${timeout / 1000} s; ${Math.floor(task.progress * 100)}% is done.`,
          )
        await withSignal(signal ? [signal] : [], undefined, (either) => sleep(delay, either))
      }
    },
  }
  return client
}
