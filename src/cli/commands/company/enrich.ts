import { pluralize } from '../../../lib/pluralize.ts'
import type { Handler } from '../../support/definition.ts'
import { openClient } from '../../support/open-client.ts'

interface Arguments {
  domain: string
  leadership: boolean
  signals: boolean
  force: boolean
}

export const enrichCompany: Handler<Arguments> = async (command, { domain, leadership, signals, force }) => {
  const { out, signal } = command
  const client = await openClient(command)
  const body = { domain, include_leadership: leadership, include_signals: signals, force }
  const reply = await client.enrich.company(body, { signal })
  out.result(reply, () =>
    [
      // Replaces the request field named in the API's hint with the matching command-line option.
      reply.message.replace('Send "force": true', 'Use `--force`'),
      `${pluralize(reply.units_charged, 'unit')} charged, ${reply.units_remaining} remaining.`,
      `Wait for it: talhouse task wait ${reply.task_id}`,
      `Show it:     talhouse company show ${domain}`,
    ].join('\n'),
  )
}
