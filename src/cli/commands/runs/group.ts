import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'
import { limit } from '../../support/parameters.ts'

export const runs: Group = {
  name: 'runs',
  describe: 'List and show pipeline runs',
  commands: [
    command({
      name: 'list',
      describe: 'List runs, newest first',
      positionals: {
        pipeline: { type: 'string', completes: 'pipelines', describe: 'Show only runs of this pipeline' },
      },
      options: { limit: limit(20) },
      load: async () => (await import('./list.ts')).list,
    }),
    command({
      name: 'show',
      describe: 'Show a run and its steps',
      positionals: { id: { type: 'integer', required: true, describe: 'Run ID' } },
      load: async () => (await import('./show.ts')).show,
    }),
  ],
}
