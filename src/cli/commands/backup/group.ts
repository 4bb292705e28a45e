import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'

const BACKUP_ID = { type: 'string', describe: 'Backup ID [default: the latest]' } as const

export const backup: Group = {
  name: 'backup',
  describe: 'Back up and restore the embedded PostgreSQL',
  commands: [
    command({
      name: 'create',
      describe: 'Back up the running embedded server and the secrets in the data folder',
      load: async () => (await import('./create.ts')).create,
    }),
    command({
      name: 'list',
      describe: 'List complete backups, newest first',
      load: async () => (await import('./list.ts')).list,
    }),
    command({
      name: 'verify',
      describe: 'Read a backup and verify its checksum',
      positionals: { id: BACKUP_ID },
      load: async () => (await import('./verify.ts')).verify,
    }),
    command({
      name: 'restore',
      describe: 'Restore a backup into an empty data folder',
      positionals: { id: BACKUP_ID },
      load: async () => (await import('./restore.ts')).restore,
    }),
  ],
}
