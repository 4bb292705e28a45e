import type { CommandModule } from 'yargs'
import { createClient } from '../../../client/index.ts'
import type { TalSubmissionReply } from '../../../contract/enrichment.ts'
import type { CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { serviceAddress, serviceKey } from '../../support/service-key.ts'

interface Arguments extends CommonArguments {
  force: boolean
  max_age_days: number | undefined
  dry_run: boolean
}

export const talEnrichCommand: CommandModule<object, Arguments> = {
  command: 'enrich',
  describe: 'Enrich the stale companies on your list, at a unit each',
  builder: (cli) =>
    cli
      .option('force', { type: 'boolean', default: false, describe: 'Fresh companies too' })
      .option('max_age_days', { type: 'number', alias: 'max-age-days', describe: 'Older data is stale' })
      .option('dry_run', {
        type: 'boolean',
        alias: 'dry-run',
        default: false,
        describe: 'Only say what it would cost',
      }),
  handler: run(async (command, { force, max_age_days, dry_run }) => {
    const { out, signal } = command
    const access = { baseUrl: serviceAddress(command), apiKey: await serviceKey(command), signal }
    await using client = createClient(access)
    const body = { force, dry_run, ...(max_age_days !== undefined && { max_age_days }) }
    const reply = (await client.enrich.tal(body, { signal })) as unknown as TalSubmissionReply
    out.result(reply, () =>
      reply.task_id === null
        ? `${reply.message} It would cost ${reply.units_required} units of ${reply.units_remaining}.`
        : `${reply.message}\nWatch it: talhouse task wait ${reply.task_id}`,
    )
    return undefined
  }),
}
