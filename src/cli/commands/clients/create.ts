import { createClient } from '../../../auth/clients.ts'
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
  const client = await createClient(service.db, { name, ...(id !== undefined && { client_id: id }), ...plan })
  command.out.result(
    client,
    () => `${formatRecord({ ...client })}\n\nCreate a key with \`talhouse keys create ${client.client_id}\`.`,
  )
}
