import { audited } from '../../../audit/audit-log.ts'
import { findClient } from '../../../auth/clients.ts'
import { openQueue } from '../../../lib/queue.ts'
import { replayDelivery } from '../../../webhooks/deliveries.ts'
import { WEBHOOK } from '../../../webhooks/enqueue.ts'
import { QUEUES } from '../../../worker/worker.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'

export const replay: Handler<{ client_id: string; delivery_id: string }> = async (
  command,
  { client_id, delivery_id },
) => {
  await using service = await openService(command)
  await findClient(service.db, client_id)
  await using queue = await openQueue(service.url, { log: command.log, queues: QUEUES, supervise: false })
  const change = { action: 'webhook.replay', target: delivery_id }
  await audited(service.db, cliActor(), change, (trx) => replayDelivery(trx, queue, client_id, delivery_id))
  queue.wake(WEBHOOK)
  command.out.result({ delivery_id, state: 'pending' }, () => `Queued delivery ${delivery_id}.`)
}
