import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'

export const alerts: Group = {
  name: 'alerts',
  describe: 'Send a test alert',
  commands: [
    command({
      name: 'test',
      describe: 'Send a test alert to every configured destination',
      load: async () => (await import('./test.ts')).test,
    }),
  ],
}
