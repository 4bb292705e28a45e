import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'

export const privacy: Group = {
  name: 'privacy',
  describe: 'Handle data subject requests',
  commands: [
    command({
      name: 'erase',
      describe: 'Erase a person from the service and add them to the suppression list',
      positionals: {
        person: {
          type: 'string',
          required: true,
          describe: 'Email address, or the first 16 hex digits of the SHA-256 of the lower-case address',
        },
      },
      epilogue: async () =>
        'This cannot be undone. The next nightly run erases the person from the warehouse; existing snapshots are not changed.',
      load: async () => (await import('./erase.ts')).erase,
    }),
  ],
}
