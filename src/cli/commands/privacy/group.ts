import type { CommandModule } from 'yargs'
import { erasePerson } from '../../../privacy/erase-person.ts'
import type { CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openService } from '../../support/databases.ts'

const eraseCommand: CommandModule<object, CommonArguments & { person: string }> = {
  command: 'forget <person>',
  describe: 'Erase a person everywhere in the service, and never store them again',
  builder: (cli) =>
    cli
      .positional('person', {
        type: 'string',
        demandOption: true,
        describe: 'E-mail address, or the first 16 hex digits of the SHA-256 of the lower-case address',
      })
      .epilogue(
        'This cannot be undone. The warehouse follows with its next run; snapshots made before keep what they hold.',
      ),
  handler: run(async (command, { person }) => {
    await using service = await openService(command)
    const forgotten = await erasePerson(service.db, person)
    const { persons, events, signals, tasks } = forgotten
    command.out.result(
      forgotten,
      () =>
        `Erased ${persons} record(s), ${events} change(s), ${signals} headline(s), and blanked ${tasks} request(s). Never stored again.`,
    )
    return undefined
  }),
}

export const privacyCommand: CommandModule<object, object> = {
  command: 'privacy <command>',
  describe: 'Requests of people about their data',
  builder: (cli) => cli.command(eraseCommand as unknown as CommandModule).demandCommand(1, 'Say what to do: forget.'),
  handler: () => undefined,
}
