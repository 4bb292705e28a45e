import { sleep } from '../../../lib/backoff.ts'
import { clientOfTask, readTask } from '../../../tasks/read-task.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { printTask } from '../../support/task-text.ts'

const POLL_MS = 500

export const waitForTask: Handler<{ task_id: string }> = async (command, { task_id: taskId }) => {
  const { out, signal } = command
  await using service = await openService(command)
  const clientId = await clientOfTask(service.db, taskId)
  let shown = -1
  for (;;) {
    const task = await readTask(service.db, clientId, taskId)
    const percent = Math.floor(task.progress * 100)
    if (percent !== shown) out.note(`${task.status}: ${percent}%`)
    shown = percent
    if (task.completed_at !== null) break
    await sleep(POLL_MS, signal)
  }
  const status = await printTask(command, service.db, taskId)
  return status === 'failed' ? EXIT.failed : EXIT.done
}
