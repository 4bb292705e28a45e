import type { CommandModule } from 'yargs'
import { grantUnits } from '../../../units/grant.ts'
import { listLedger } from '../../../units/ledger.ts'
import { reconcileUnits } from '../../../units/reconcile.ts'
import { readUsage } from '../../../usage/read-usage.ts'
import type { CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openService } from '../../support/databases.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { formatRecord, formatRows } from '../../support/output.ts'
import { wholeNumber } from '../../support/whole-number.ts'

type OfClient = CommonArguments & { client_id: string }

const showCommand: CommandModule<object, OfClient> = {
  command: 'show <client_id>',
  describe: "A client's plan, balance and period",
  builder: (cli) => cli.positional('client_id', { type: 'string', demandOption: true }),
  handler: run(async (command, args) => {
    await using service = await openService(command)
    const usage = await readUsage(service.db, args.client_id)
    command.out.result(usage, () => formatRecord(usage))
    return undefined
  }),
}

const grantCommand: CommandModule<object, OfClient & { units: number; reason: string }> = {
  command: 'grant <client_id> <units>',
  describe: 'Give a client units beside its plan; they do not lapse with the period',
  builder: (cli) =>
    cli
      .positional('client_id', { type: 'string', demandOption: true })
      .positional('units', { type: 'number', demandOption: true, describe: 'Below zero takes granted ones back' })
      .option('reason', { type: 'string', default: 'granted by an operator', describe: 'Kept in the ledger' })
      .check(({ units }) => (Number.isSafeInteger(units) && units !== 0 ? true : 'units is a whole number, and not 0')),
  handler: run(async (command, { client_id: clientId, units, reason }) => {
    await using service = await openService(command)
    const balance = await grantUnits(service.db, { clientId, units, reason })
    command.out.result({ client_id: clientId, units, balance }, () => `${clientId} has ${balance} units now.`)
    return undefined
  }),
}

const ledgerCommand: CommandModule<object, OfClient & { limit: number }> = {
  command: 'ledger <client_id>',
  describe: "A client's newest ledger entries",
  builder: (cli) =>
    cli
      .positional('client_id', { type: 'string', demandOption: true })
      .option('limit', { ...wholeNumber('--limit'), default: 50, describe: 'Entries at the most' }),
  handler: run(async (command, args) => {
    await using service = await openService(command)
    const entries = await listLedger(service.db, args.client_id, args.limit)
    const columns = ['created_at', 'kind', 'units', 'balance_after', 'task_id', 'reason']
    command.out.result(entries, () =>
      entries.length > 0 ? formatRows(entries, 'table', columns) : 'Nothing has moved yet.',
    )
    return undefined
  }),
}

const reconcileCommand: CommandModule<object, CommonArguments> = {
  command: 'reconcile',
  describe: 'Prove the books: balances, ledger, tasks and items agree',
  handler: run(async (command) => {
    await using service = await openService(command)
    const found = await reconcileUnits(service.db)
    command.out.result(found, () => {
      const { accounts, entries, tasks, discrepancies } = found
      const looked = `${accounts} accounts, ${entries} ledger entries and ${tasks} tasks`
      if (discrepancies.length === 0) return `The books agree: ${looked}.`
      const rows = formatRows(
        discrepancies.map((row) => ({ ...row })),
        'table',
      )
      return `${rows}\n\n${discrepancies.length} discrepancies in ${looked}.`
    })
    return found.discrepancies.length === 0 ? undefined : EXIT.failed
  }),
}

export const unitsCommand: CommandModule = {
  command: 'units <command>',
  describe: 'Show, grant and prove units',
  builder: (cli) =>
    cli
      .command([showCommand, grantCommand, ledgerCommand, reconcileCommand] as CommandModule[])
      .demandCommand(1, 'Say what to do: `talhouse units --help` lists the commands.'),
  handler: () => undefined,
}
