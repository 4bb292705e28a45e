import { Type } from 'typebox'
import { Task, TaskPage, TaskQuery, TaskResult } from '../../contract/tasks.ts'
import { readResult } from '../../tasks/read-result.ts'
import { listTasks, readTask } from '../../tasks/read-task.ts'
import type { App, AppDeps } from '../deps.ts'
import { errorReplies } from '../plugins/documented-errors.ts'

const Path = Type.Object({ task_id: Type.String() })

export function taskRoutes(app: App, { db }: AppDeps): void {
  const tags = ['tasks']

  app.get(
    '/v2/tasks',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'listTasks',
        summary: 'List tasks',
        description: "Returns the client's tasks, newest first.",
        querystring: TaskQuery,
        response: { 200: TaskPage },
      },
    },
    async ({ caller, query }) => ({ tasks: await listTasks(db, caller.clientId, query), limit: query.limit }),
  )

  app.get(
    '/v2/tasks/:task_id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'getTask',
        summary: 'Get a task',
        description: 'Returns the status and progress of a task.',
        params: Path,
        response: { 200: Task, ...errorReplies(404) },
      },
    },
    async ({ caller, params }) => await readTask(db, caller.clientId, params.task_id),
  )

  app.get(
    '/v2/tasks/:task_id/result',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'getTaskResult',
        summary: 'Get a task result',
        description: 'Returns the task with its request and output. `output_data` is null until the task has ended.',
        params: Path,
        response: { 200: TaskResult, ...errorReplies(404) },
      },
    },
    async ({ caller, params }) => await readResult(db, caller.clientId, params.task_id),
  )
}
