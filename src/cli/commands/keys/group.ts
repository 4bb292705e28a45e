import { SCOPES } from '../../../contract/scopes.ts'
import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'
import { CLIENT_ID } from '../../support/parameters.ts'

const KEY_ID = { type: 'string', required: true, describe: 'Key ID from `keys list`' } as const
const EXPIRES = { type: 'string', describe: 'Expiry of the key: 90d, 12h, or an ISO 8601 timestamp' } as const

export const keys: Group = {
  name: 'keys',
  describe: 'Create, list, rotate and revoke API keys',
  commands: [
    command({
      name: 'create',
      describe: 'Create an API key and print it once',
      positionals: { client_id: CLIENT_ID },
      options: {
        label: { type: 'string', describe: 'Purpose of the key' },
        scopes: {
          type: 'string',
          array: 'commas',
          choices: SCOPES,
          describe: 'Scopes [default: all but warehouse and admin]',
        },
        expires: EXPIRES,
      },
      load: async () => (await import('./create.ts')).createKey,
    }),
    command({
      name: 'list',
      describe: 'List API keys by their last four characters',
      positionals: { client_id: { ...CLIENT_ID, required: false } },
      load: async () => (await import('./list.ts')).listKeys,
    }),
    command({
      name: 'rotate',
      describe: 'Replace an API key; the old key remains valid for a limited time',
      positionals: { key_id: KEY_ID },
      options: {
        'overlap-hours': { type: 'number', default: 24, max: 8760, describe: 'Hours until the old key expires' },
        expires: EXPIRES,
      },
      load: async () => (await import('./rotate.ts')).rotateKey,
    }),
    command({
      name: 'revoke',
      describe: 'Revoke an API key; running servers reject it within 15 seconds',
      positionals: { key_id: KEY_ID },
      load: async () => (await import('./revoke.ts')).revokeKey,
    }),
  ],
}
