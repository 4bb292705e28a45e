import { audited } from '../../../audit/audit-log.ts'
import { updateClient } from '../../../auth/clients.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRecord } from '../../support/output.ts'
import type { PlanArguments } from '../../support/plan-options.ts'
import { planOf } from '../../support/plan-options.ts'

interface Arguments extends PlanArguments {
  client_id: string
  name: string | undefined
}

export const update: Handler<Arguments> = async (command, { client_id: clientId, name, ...args }) => {
  const plan = planOf(args)
  await using service = await openService(command)
  const changes = { ...(name !== undefined && { name }), ...plan }
  const change = { action: 'client.update', target: clientId, details: () => changes }
  const client = await audited(service.db, cliActor(), change, (trx) => updateClient(trx, clientId, changes))
  command.out.result(client, () => formatRecord({ ...client }))
}
