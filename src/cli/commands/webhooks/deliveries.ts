import { findClient } from '../../../auth/clients.ts'
import { readTask } from '../../../tasks/read-task.ts'
import { listDeliveries } from '../../../webhooks/deliveries.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRows } from '../../support/output.ts'

interface Arguments {
  client_id: string
  limit: number
  task: string | undefined
}

export const deliveries: Handler<Arguments> = async (command, { client_id: clientId, limit, task: taskId }) => {
  await using service = await openService(command)
  await findClient(service.db, clientId)
  if (taskId !== undefined) await readTask(service.db, clientId, taskId)
  const found = await listDeliveries(service.db, clientId, { limit, taskId })
  const rows = found.map(({ delivery_id, state, attempts, next_attempt_at, url, log }) => {
    const [last] = log
    return { delivery_id, state, attempts, next_attempt_at, url, last: last?.error ?? last?.status ?? '' }
  })
  command.out.result(found, () => (rows.length > 0 ? formatRows(rows, 'table') : 'No deliveries yet.'))
}
