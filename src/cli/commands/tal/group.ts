import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'
import { DOMAINS, FORMAT } from '../../support/parameters.ts'

export const tal: Group = {
  name: 'tal',
  describe: 'Manage the target account list',
  commands: [
    command({
      name: 'list',
      describe: 'List the companies on the list',
      options: { format: FORMAT },
      load: async () => (await import('./list.ts')).list,
    }),
    command({
      name: 'add',
      describe: 'Add companies to the list',
      positionals: { domains: DOMAINS },
      options: { source: { type: 'string', describe: 'Tag for these companies' } },
      load: async () => (await import('./add.ts')).add,
    }),
    command({
      name: 'remove',
      describe: 'Remove companies from the list; their data is kept',
      positionals: { domains: DOMAINS },
      load: async () => (await import('./remove.ts')).remove,
    }),
    command({
      name: 'enrich',
      describe: 'Enrich the stale companies on the list, 1 unit each',
      options: {
        force: { type: 'boolean', default: false, describe: 'Include fresh companies' },
        'max-age-days': { type: 'number', max: 3650, describe: 'Age in days after which data is stale [default: 30]' },
        'dry-run': { type: 'boolean', default: false, describe: 'Show the cost without enriching' },
      },
      load: async () => (await import('./enrich.ts')).enrichList,
    }),
  ],
}
