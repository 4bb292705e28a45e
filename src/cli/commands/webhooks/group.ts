import type { CommandModule } from 'yargs'
import { findClient } from '../../../auth/clients.ts'
import { openQueue } from '../../../lib/queue.ts'
import { listDeliveries, replayDelivery } from '../../../webhooks/deliveries.ts'
import { readSealingKeys } from '../../../webhooks/seal-secret.ts'
import { currentSecret, rotateSecret } from '../../../webhooks/secrets.ts'
import { QUEUES } from '../../../worker/worker.ts'
import type { Command, CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openService } from '../../support/databases.ts'
import { formatRows } from '../../support/output.ts'
import { wholeNumber } from '../../support/whole-number.ts'

const sealingKeys = ({ config }: Command) => readSealingKeys(config.secrets.webhook_keys)

type OfClient = CommonArguments & { client_id: string }

const showCommand: CommandModule<object, OfClient> = {
  command: 'show <client_id>',
  describe: "The secret that a client's notifications are signed with",
  builder: (cli) => cli.positional('client_id', { type: 'string', demandOption: true }),
  handler: run(async (command, args) => {
    await using service = await openService(command)
    await findClient(service.db, args.client_id)
    const secret = await currentSecret(service.db, args.client_id, sealingKeys(command))
    command.out.result({ secret }, () => secret)
    return undefined
  }),
}

const rotateCommand: CommandModule<object, OfClient> = {
  command: 'rotate <client_id>',
  describe: 'A new secret; the old one signs beside it for 24 hours',
  builder: (cli) => cli.positional('client_id', { type: 'string', demandOption: true }),
  handler: run(async (command, args) => {
    await using service = await openService(command)
    await findClient(service.db, args.client_id)
    const secret = await rotateSecret(service.db, args.client_id, sealingKeys(command))
    command.out.note('Until tomorrow notifications carry the signatures of both secrets.')
    command.out.result({ secret }, () => secret)
    return undefined
  }),
}

const deliveriesCommand: CommandModule<object, OfClient & { limit: number; task: string | undefined }> = {
  command: 'deliveries <client_id>',
  describe: "A client's newest notifications, and how each attempt ended",
  builder: (cli) =>
    cli
      .positional('client_id', { type: 'string', demandOption: true })
      .option('task', { type: 'string', describe: 'Of this task alone' })
      .option('limit', { ...wholeNumber('--limit'), default: 20, describe: 'Notifications at the most' }),
  handler: run(async (command, args) => {
    await using service = await openService(command)
    const options = { limit: args.limit, taskId: args.task }
    const deliveries = await listDeliveries(service.db, args.client_id, options)
    const rows = deliveries.map(({ delivery_id, state, attempts, next_attempt_at, url, log }) => {
      const last = log[0]
      return { delivery_id, state, attempts, next_attempt_at, url, last: last?.error ?? last?.status ?? '' }
    })
    command.out.result(deliveries, () => (rows.length > 0 ? formatRows(rows, 'table') : 'No notifications yet.'))
    return undefined
  }),
}

const replayCommand: CommandModule<object, OfClient & { delivery_id: string }> = {
  command: 'replay <client_id> <delivery_id>',
  describe: 'Send an ended notification again, with the same webhook-id',
  builder: (cli) =>
    cli
      .positional('client_id', { type: 'string', demandOption: true })
      .positional('delivery_id', { type: 'string', demandOption: true }),
  handler: run(async (command, { client_id, delivery_id }) => {
    await using service = await openService(command)
    await using queue = await openQueue(service.url, { log: command.log, queues: QUEUES, supervise: false })
    await replayDelivery(service.db, queue, client_id, delivery_id)
    command.out.result({ delivery_id, state: 'pending' }, () => 'It will be sent by the next worker.')
    return undefined
  }),
}

export const webhooksCommand: CommandModule = {
  command: 'webhooks <command>',
  describe: 'Show and rotate secrets; list and replay notifications',
  builder: (cli) =>
    cli
      .command([showCommand, rotateCommand, deliveriesCommand, replayCommand] as CommandModule[])
      .demandCommand(1, 'Say what to do: `talhouse webhooks --help` lists the commands.'),
  handler: () => undefined,
}
