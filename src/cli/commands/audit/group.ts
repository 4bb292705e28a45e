import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'
import { limit } from '../../support/parameters.ts'

export const audit: Group = {
  name: 'audit',
  describe: 'Show the audit log',
  commands: [
    command({
      name: 'list',
      describe: 'List changes made through the API or the command line, newest first',
      options: {
        since: {
          type: 'string',
          describe: 'Show only entries after this time: a duration (12h, 30d) or an ISO 8601 timestamp',
        },
        actor: { type: 'string', describe: 'Show only this actor: client:ID or user:NAME' },
        action: {
          type: 'string',
          describe: 'Show only this action, such as key.revoke, or this kind of action, such as key',
        },
        limit: limit(100),
      },
      load: async () => (await import('./list.ts')).list,
    }),
  ],
}
