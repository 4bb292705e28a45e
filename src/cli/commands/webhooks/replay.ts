import { openQueue } from '../../../lib/queue.ts'
import { replayDelivery } from '../../../webhooks/deliveries.ts'
import { QUEUES } from '../../../worker/worker.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'

export const replay: Handler<{ client_id: string; delivery_id: string }> = async (
  command,
  { client_id, delivery_id },
) => {
  await using service = await openService(command)
  await using queue = await openQueue(service.url, { log: command.log, queues: QUEUES, supervise: false })
  await replayDelivery(service.db, queue, client_id, delivery_id)
  command.out.result({ delivery_id, state: 'pending' }, () => `Queued delivery ${delivery_id}.`)
}
