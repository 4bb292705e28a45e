import { undoLatestImport } from '../../../firms/undo-import.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { EXIT } from '../../support/exit-codes.ts'

export const undoImport: Handler<object> = async (command) => {
  await using service = await openService(command)
  const report = await undoLatestImport(service.db, cliActor())
  const { file, as_of, removed, restored } = report
  command.out.result(
    report,
    () =>
      `Undid the import of ${file} as of ${as_of}: ${removed.toLocaleString('en-US')} firms removed, ${restored.toLocaleString('en-US')} restored`,
  )
  return EXIT.done
}
