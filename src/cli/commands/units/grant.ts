import { AppError } from '../../../lib/errors.ts'
import { grantUnits } from '../../../units/grant.ts'
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
  const balance = await grantUnits(service.db, { clientId, units, reason })
  command.out.result({ client_id: clientId, units, balance }, () => `Balance of ${clientId}: ${balance} units.`)
}
