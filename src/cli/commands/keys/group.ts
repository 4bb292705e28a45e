import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'
import { CLIENT_ID } from '../../support/parameters.ts'

export const keys: Group = {
  name: 'keys',
  describe: 'Create, list and revoke API keys',
  commands: [
    command({
      name: 'create',
      describe: 'Create an API key and print it once',
      positionals: { client_id: CLIENT_ID },
      options: { label: { type: 'string', describe: 'Purpose of the key' } },
      load: async () => (await import('./create.ts')).createKey,
    }),
    command({
      name: 'list',
      describe: 'List API keys by their last four characters',
      positionals: { client_id: { ...CLIENT_ID, required: false } },
      load: async () => (await import('./list.ts')).listKeys,
    }),
    command({
      name: 'revoke',
      describe: 'Revoke an API key; running servers reject it within 15 seconds',
      positionals: { key_id: { type: 'string', required: true, describe: 'Key ID from `keys list`' } },
      load: async () => (await import('./revoke.ts')).revokeKey,
    }),
  ],
}
