import type { CommandModule } from 'yargs'
import { createClient } from '../../../client/index.ts'
import type { Company } from '../../../contract/companies.ts'
import type { HistoryEvent } from '../../../contract/history.ts'
import { AppError } from '../../../lib/errors.ts'
import type { CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { companyPicture } from '../../support/company-text.ts'
import { serviceAddress, serviceKey } from '../../support/service-key.ts'
import { companyEnrichCommand } from './enrich.ts'

const LATEST = 30

const showCommand: CommandModule<object, CommonArguments & { domain: string }> = {
  command: 'show <domain>',
  describe: 'What is known of a company, how surely, from where, since when, and what changed lately',
  builder: (cli) =>
    cli
      .positional('domain', { type: 'string', demandOption: true, describe: 'Such as acme.com' })
      .example('$0 company show acme.com', 'The picture of a company'),
  handler: run(async (command, { domain }) => {
    const { signal, out } = command
    await using client = createClient({ baseUrl: serviceAddress(command), apiKey: await serviceKey(command), signal })
    const company = await client.companies.get(domain, { include: 'all', include_provenance: true }, signal)
    if (!company)
      throw new AppError(
        'not_found',
        `Nothing is known of ${domain}. \`talhouse company enrich ${domain}\` looks it up.`,
      )
    const { events } = await client.companies.history(domain, { limit: LATEST }, signal)
    out.result({ ...company, history: events }, () =>
      companyPicture(company as Company, events as HistoryEvent[], { now: new Date(), width: out.width }),
    )
    return undefined
  }),
}

export const companyCommand: CommandModule<object, object> = {
  command: 'company <command>',
  describe: 'Look at companies, and have them looked up',
  builder: (cli) =>
    cli
      .command([showCommand, companyEnrichCommand] as unknown as CommandModule[])
      .demandCommand(1, 'Say what to do: show or enrich.'),
  handler: () => undefined,
}
