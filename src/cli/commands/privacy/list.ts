import { listErasures } from '../../../privacy/erasures.ts'
import { parseDescription } from '../../../privacy/person-description.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRows } from '../../support/output.ts'

interface Options {
  person: string | undefined
  company: string | undefined
  limit: number
}

export const list: Handler<Options> = async (command, { person: given, company, limit }) => {
  const person = given === undefined ? undefined : parseDescription(given, company)
  await using service = await openService(command)
  const erasures = await listErasures(service.db, cliActor(), { person, limit })
  command.out.result(erasures, () =>
    erasures.length === 0
      ? 'No erasures.'
      : formatRows(
          erasures.map((erasure) => ({ ...erasure })),
          'table',
        ),
  )
}
