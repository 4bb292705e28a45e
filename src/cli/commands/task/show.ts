import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { printTask } from '../../support/task-text.ts'

export const showTask: Handler<{ task_id: string }> = async (command, { task_id: taskId }) => {
  await using service = await openService(command)
  await printTask(command, service.db, taskId)
}
