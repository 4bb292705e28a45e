import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'
import { CLIENT_ID, limit } from '../../support/parameters.ts'

export const webhooks: Group = {
  name: 'webhooks',
  describe: 'Show and rotate signing secrets; list and replay deliveries',
  commands: [
    command({
      name: 'show',
      describe: "Show the secret that signs a client's webhooks",
      positionals: { client_id: CLIENT_ID },
      load: async () => (await import('./show.ts')).showSecret,
    }),
    command({
      name: 'rotate',
      describe: 'Create a new signing secret; for 24 hours, deliveries are also signed with the old secret',
      positionals: { client_id: CLIENT_ID },
      load: async () => (await import('./rotate.ts')).rotate,
    }),
    command({
      name: 'deliveries',
      describe: "List a client's latest deliveries and their last results",
      positionals: { client_id: CLIENT_ID },
      options: { task: { type: 'string', describe: 'Show only deliveries of this task' }, limit: limit(20) },
      load: async () => (await import('./deliveries.ts')).deliveries,
    }),
    command({
      name: 'replay',
      describe: 'Replay a finished delivery with the same webhook-id',
      positionals: {
        client_id: CLIENT_ID,
        delivery_id: { type: 'string', required: true, describe: 'Delivery ID from `webhooks deliveries`' },
      },
      load: async () => (await import('./replay.ts')).replay,
    }),
  ],
}
