import { liftSuppression } from '../../../privacy/erasures.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { confirm } from '../../support/confirm.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'

export const lift: Handler<{ erasure: number; yes: boolean }> = async (command, { erasure, yes }) => {
  await using service = await openService(command)
  if (!yes) await confirm('The person may be stored again.', command.signal)
  const lifted = await liftSuppression(service.db, erasure, cliActor())
  command.out.result(lifted, () => `The suppression of erasure ${erasure} is lifted. Sources may add the person again.`)
}
