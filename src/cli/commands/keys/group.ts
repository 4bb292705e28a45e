import type { CommandModule } from 'yargs'
import { createApiKey, listApiKeys, revokeApiKey } from '../../../auth/api-keys.ts'
import { findClient } from '../../../auth/clients.ts'
import type { CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openService } from '../../support/databases.ts'
import { formatRows } from '../../support/output.ts'

const createKeyCommand: CommandModule<object, CommonArguments & { client_id: string; label: string | undefined }> = {
  command: 'create <client_id>',
  describe: 'Make an API key and show it, once',
  builder: (cli) =>
    cli
      .positional('client_id', { type: 'string', demandOption: true })
      .option('label', { type: 'string', describe: 'What the key is for' }),
  handler: run(async (command, args) => {
    await using service = await openService(command)
    const made = await createApiKey(service.db, args.client_id, args.label)
    command.out.note(`The key of ${made.client_id}. It cannot be shown again:`)
    command.out.result(made, () => made.key)
    return undefined
  }),
}

const listKeysCommand: CommandModule<object, CommonArguments & { client_id: string | undefined }> = {
  command: 'list [client_id]',
  describe: 'List API keys, of one client or of all, by their last four characters',
  builder: (cli) => cli.positional('client_id', { type: 'string' }),
  handler: run(async (command, args) => {
    await using service = await openService(command)
    if (args.client_id !== undefined) await findClient(service.db, args.client_id)
    const keys = await listApiKeys(service.db, args.client_id)
    command.out.result(keys, () =>
      keys.length > 0
        ? formatRows(
            keys.map((key) => ({ ...key })),
            'table',
          )
        : 'No keys yet. Make one with `talhouse keys create CLIENT_ID`.',
    )
    return undefined
  }),
}

const revokeKeyCommand: CommandModule<object, CommonArguments & { key_id: string }> = {
  command: 'revoke <key_id>',
  describe: 'Revoke an API key; serving processes refuse it within 15 seconds',
  builder: (cli) => cli.positional('key_id', { type: 'string', demandOption: true }),
  handler: run(async (command, args) => {
    await using service = await openService(command)
    const key = await revokeApiKey(service.db, args.key_id)
    command.out.result(key, () => `Revoked: the key of ${key.client_id} that ends in ${key.last_four}.`)
    return undefined
  }),
}

export const keysCommand: CommandModule = {
  command: 'keys <command>',
  describe: 'Make, list and revoke API keys',
  builder: (cli) =>
    cli.command([createKeyCommand, listKeysCommand, revokeKeyCommand] as CommandModule[]).demandCommand(1),
  handler: () => undefined,
}
