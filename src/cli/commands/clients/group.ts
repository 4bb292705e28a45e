import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'
import { CLIENT_ID } from '../../support/parameters.ts'
import { PLAN_OPTIONS } from '../../support/plan-options.ts'

export const clients: Group = {
  name: 'clients',
  describe: 'Create, list and update API clients and their plans',
  commands: [
    command({
      name: 'create',
      describe: 'Create a client',
      createsDatabases: true,
      positionals: { name: { type: 'string', required: true, describe: 'Display name' } },
      options: {
        id: { type: 'string', describe: 'Readable ID for paths [default: a UUID]' },
        ...PLAN_OPTIONS,
      },
      load: async () => (await import('./create.ts')).create,
    }),
    command({
      name: 'list',
      describe: 'List clients',
      load: async () => (await import('./list.ts')).list,
    }),
    command({
      name: 'show',
      describe: "Show a client's plan and limits",
      positionals: { client_id: CLIENT_ID },
      load: async () => (await import('./show.ts')).show,
    }),
    command({
      name: 'update',
      describe: 'Change a client; running servers apply the change within seconds',
      positionals: { client_id: CLIENT_ID },
      options: { name: { type: 'string', describe: 'Display name' }, ...PLAN_OPTIONS },
      load: async () => (await import('./update.ts')).update,
    }),
  ],
}
