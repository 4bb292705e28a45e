import { MAX_INTEGER } from '../../../lib/storable-text.ts'
import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'
import { CLIENT_ID, limit } from '../../support/parameters.ts'

export const units: Group = {
  name: 'units',
  describe: 'Show, grant and reconcile units',
  commands: [
    command({
      name: 'show',
      describe: "Show a client's plan, balance and period",
      positionals: { client_id: CLIENT_ID },
      load: async () => (await import('./show.ts')).showUnits,
    }),
    command({
      name: 'grant',
      describe: 'Grant units in addition to the plan; granted units do not expire with the period',
      positionals: {
        client_id: CLIENT_ID,
        units: {
          type: 'integer',
          required: true,
          min: -MAX_INTEGER,
          describe: 'Units to grant; a negative number revokes granted units',
        },
      },
      options: { reason: { type: 'string', default: 'operator grant', describe: 'Reason recorded in the ledger' } },
      load: async () => (await import('./grant.ts')).grant,
    }),
    command({
      name: 'ledger',
      describe: "List a client's latest ledger entries",
      positionals: { client_id: CLIENT_ID },
      options: { limit: limit(50) },
      load: async () => (await import('./ledger.ts')).listLedgerEntries,
    }),
    command({
      name: 'reconcile',
      describe: 'Verify that balances, ledger entries, tasks and items agree',
      load: async () => (await import('./reconcile.ts')).reconcile,
    }),
  ],
}
