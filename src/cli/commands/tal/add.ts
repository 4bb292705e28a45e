import type { Handler } from '../../support/definition.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { openClient } from '../../support/open-client.ts'

interface Arguments {
  domains: string[]
  source: string | undefined
}

export const add: Handler<Arguments> = async (command, { domains, source }) => {
  const { out, signal } = command
  const client = await openClient(command)
  const reply = await client.tal.add({ domains, source }, { signal })
  const { added, already_present, rejected } = reply
  out.result(reply, () =>
    [
      `${added.length} added, ${already_present.length} already on the list.`,
      ...rejected.map(({ reason }) => reason),
    ].join('\n'),
  )
  return rejected.length > 0 ? EXIT.degraded : EXIT.done
}
