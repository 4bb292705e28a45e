import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'

const TASK_ID = { type: 'string', required: true, describe: 'Task ID' } as const

export const task: Group = {
  name: 'task',
  describe: 'Show tasks and wait for them',
  commands: [
    command({
      name: 'show',
      describe: 'Show a task and its results so far',
      positionals: { task_id: TASK_ID },
      load: async () => (await import('./show.ts')).showTask,
    }),
    command({
      name: 'wait',
      describe: 'Wait until a task has ended and show it; exit with 1 if it failed',
      positionals: { task_id: TASK_ID },
      load: async () => (await import('./wait.ts')).waitForTask,
    }),
  ],
}
