import type { Handler } from '../../support/definition.ts'
import { openClient } from '../../support/open-client.ts'

export const remove: Handler<{ domains: string[] }> = async (command, { domains }) => {
  const { out, signal } = command
  const client = await openClient(command)
  const reply = await client.tal.remove({ domains }, { signal })
  const { removed, not_present } = reply
  const missing = not_present.length > 0 ? `, not on the list: ${not_present.join(', ')}` : ''
  out.result(reply, () => `${removed.length} removed${missing}.`)
}
