import { erasePerson } from '../../../privacy/erase-person.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'

export const erase: Handler<{ person: string }> = async (command, { person }) => {
  await using service = await openService(command)
  const erased = await erasePerson(service.db, person, cliActor())
  const { persons, events, signals, tasks } = erased
  command.out.result(
    erased,
    () =>
      `Erased ${persons} records, ${events} history events and ${signals} signals, and redacted ${tasks} tasks. The person is on the suppression list.`,
  )
}
