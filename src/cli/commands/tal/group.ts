import type { CommandModule } from 'yargs'
import type { Client } from '../../../client/index.ts'
import { createClient } from '../../../client/index.ts'
import type { TalAdded, TalEntry, TalRemoved } from '../../../contract/tal.ts'
import { TAL_PAGE_DEFAULT } from '../../../contract/tal.ts'
import type { Command, CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { formatRows } from '../../support/output.ts'
import { serviceAddress, serviceKey } from '../../support/service-key.ts'
import { talEnrichCommand } from './enrich.ts'

interface DomainsArguments extends CommonArguments {
  domains: string[]
}

const openClient = async (command: Command): Promise<Client> =>
  createClient({ baseUrl: serviceAddress(command), apiKey: await serviceKey(command), signal: command.signal })

const listCommand: CommandModule<object, CommonArguments> = {
  command: 'list',
  describe: 'The companies on your list',
  handler: run(async (command) => {
    const { out, signal } = command
    await using client = await openClient(command)
    const companies: TalEntry[] = []
    for (;;) {
      const page = await client.tal.list({ limit: TAL_PAGE_DEFAULT, offset: companies.length }, signal)
      companies.push(...(page.companies as TalEntry[]))
      // A host that does not know `limit` sends all at once, and no total.
      if (typeof page.total !== 'number' || page.companies.length === 0 || companies.length >= page.total) break
    }
    const rows = companies.map(({ domain, name, enrichment_status, enriched_at, source }) => ({
      domain,
      name,
      status: enrichment_status,
      enriched: enriched_at?.slice(0, 10) ?? null,
      tag: source,
    }))
    out.result({ companies, total: companies.length }, () =>
      rows.length === 0
        ? 'The list is empty. `talhouse tal add DOMAIN...` puts companies on it.'
        : formatRows(rows, 'table'),
    )
    return undefined
  }),
}

const addCommand: CommandModule<object, DomainsArguments & { source: string | undefined }> = {
  command: 'add <domains..>',
  describe: 'Put companies on your list',
  builder: (cli) =>
    cli
      .positional('domains', { type: 'string', array: true, demandOption: true, describe: 'Domains or web addresses' })
      .option('source', { type: 'string', describe: 'A tag for these companies' }),
  handler: run(async (command, { domains, source }) => {
    const { out, signal } = command
    await using client = await openClient(command)
    const reply = (await client.tal.add(domains, source, signal)) as unknown as TalAdded
    const { added = [], already_present = [], rejected = [] } = reply
    out.result(reply, () =>
      [`${added.length} added, ${already_present.length} there already.`, ...rejected.map(({ reason }) => reason)].join(
        '\n',
      ),
    )
    return rejected.length > 0 ? EXIT.degraded : undefined
  }),
}

const removeCommand: CommandModule<object, DomainsArguments> = {
  command: 'remove <domains..>',
  describe: 'Take companies off your list; what is known of them stays',
  builder: (cli) =>
    cli.positional('domains', {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'Domains or web addresses',
    }),
  handler: run(async (command, { domains }) => {
    const { out, signal } = command
    await using client = await openClient(command)
    const reply = (await client.tal.remove(domains, signal)) as unknown as TalRemoved
    const { removed = [], not_present = [] } = reply
    out.result(
      reply,
      () => `${removed.length} removed${not_present.length > 0 ? `; not on it: ${not_present.join(', ')}` : ''}.`,
    )
    return undefined
  }),
}

export const talCommand: CommandModule<object, object> = {
  command: 'tal <command>',
  describe: 'Your target account list',
  builder: (cli) =>
    cli
      .command([listCommand, addCommand, removeCommand, talEnrichCommand] as unknown as CommandModule[])
      .demandCommand(1, 'Say what to do: list, add, remove or enrich.'),
  handler: () => undefined,
}
