import { audited } from '../../../audit/audit-log.ts'
import { rotateApiKey } from '../../../auth/api-keys.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { pointInTime } from '../../support/duration.ts'

interface Arguments {
  key_id: string
  'overlap-hours': number
  expires: string | undefined
}

export const rotateKey: Handler<Arguments> = async (command, { key_id: keyId, expires, ...args }) => {
  const overlapHours = args['overlap-hours']
  const expires_at = expires === undefined ? undefined : pointInTime(expires, '--expires', 1)
  await using service = await openService(command)
  const change = { action: 'key.rotate', target: keyId, details: () => ({ overlap_hours: overlapHours }) }
  const { old, created } = await audited(service.db, cliActor(), change, (trx) =>
    rotateApiKey(trx, keyId, { overlapHours, expires_at }),
  )
  command.out.note(`The key ending in ${old.last_four} works until ${old.expires_at}. New key, not shown again:`)
  command.out.result({ old, created }, () => created.key)
}
