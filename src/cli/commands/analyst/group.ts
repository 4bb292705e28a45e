import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'

export const analyst: Group = {
  name: 'analyst',
  describe: 'Manage the logins of analysts and modelers',
  commands: [
    command({
      name: 'reset-password',
      describe: 'Set a new password (random, or from TALHOUSE_ANALYST_PASSWORD) and print it once',
      load: async () => (await import('./reset-password.ts')).resetAnalystPassword,
    }),
    command({
      name: 'create-modeler',
      describe: 'Create the dbt role and its schema, or reset its password; print the password once',
      load: async () => (await import('./create-modeler.ts')).createModeler,
    }),
  ],
}
