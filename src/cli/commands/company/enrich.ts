import type { CommandModule } from 'yargs'
import { createClient } from '../../../client/index.ts'
import type { SubmissionReply } from '../../../contract/enrichment.ts'
import { pluralize } from '../../../lib/pluralize.ts'
import type { CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { serviceAddress, serviceKey } from '../../support/service-key.ts'

interface Arguments extends CommonArguments {
  domain: string
  leadership: boolean
  signals: boolean
  force: boolean
}

export const companyEnrichCommand: CommandModule<object, Arguments> = {
  command: 'enrich <domain>',
  describe: 'Look a company up now: 1 unit, 9 with its leadership and signals; nothing while it is fresh',
  builder: (cli) =>
    cli
      .positional('domain', { type: 'string', demandOption: true, describe: 'Such as acme.com' })
      .option('leadership', { type: 'boolean', default: false, describe: 'Its people too: 5 units more' })
      .option('signals', { type: 'boolean', default: false, describe: 'Its news too: 3 units more' })
      .option('force', { type: 'boolean', default: false, describe: 'Even if what is known is fresh' })
      .example('$0 company enrich acme.com --leadership --signals', 'All that can be found of it'),
  handler: run(async (command, { domain, leadership, signals, force }) => {
    const { out, signal } = command
    await using client = createClient({ baseUrl: serviceAddress(command), apiKey: await serviceKey(command), signal })
    const body = { domain, include_leadership: leadership, include_signals: signals, force }
    const reply = (await client.enrich.company(body, { signal })) as unknown as SubmissionReply
    out.result(reply, () =>
      [
        // The service's word for those who write requests; here it is an option.
        reply.message.replace('Send "force": true', '`--force` is there'),
        `${pluralize(reply.units_charged, 'unit')} charged, ${reply.units_remaining} left.`,
        `Watch it: talhouse task wait ${reply.task_id}`,
        `Read it:  talhouse company show ${domain}`,
      ].join('\n'),
    )
    return undefined
  }),
}
