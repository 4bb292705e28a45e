import { audited } from '../../../audit/audit-log.ts'
import { AppError } from '../../../lib/errors.ts'
import { grantUnits } from '../../../units/grant.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'

interface Arguments {
  client_id: string
  units: number
  reason: string
}

export const grant: Handler<Arguments> = async (command, { client_id: clientId, units, reason }) => {
  if (units === 0) throw new AppError('invalid_request', 'units must not be 0.')
  await using service = await openService(command)
  const change = { action: 'units.grant', target: clientId, details: () => ({ units, reason }) }
  const balance = await audited(service.db, cliActor(), change, (trx) => grantUnits(trx, { clientId, units, reason }))
  command.out.result({ client_id: clientId, units, balance }, () => `Balance of ${clientId}: ${balance} units.`)
}
