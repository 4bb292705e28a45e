import { audited } from '../../../audit/audit-log.ts'
import type { Client } from '../../../auth/clients.ts'
import { createClient } from '../../../auth/clients.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRecord } from '../../support/output.ts'
import type { PlanArguments } from '../../support/plan-options.ts'
import { planOf } from '../../support/plan-options.ts'

interface Arguments extends PlanArguments {
  name: string
  id: string | undefined
}

export const create: Handler<Arguments> = async (command, { name, id, ...args }) => {
  const plan = planOf(args)
  await using service = await openService(command)
  const settings = { name, ...(id !== undefined && { client_id: id }), ...plan }
  const change = { action: 'client.create', target: id ?? name, details: (client: Client) => ({ ...client }) }
  const client = await audited(service.db, cliActor(), change, (trx) => createClient(trx, settings))
  command.out.result(
    client,
    () => `${formatRecord({ ...client })}\n\nCreate a key with \`talhouse keys create ${client.client_id}\`.`,
  )
}
