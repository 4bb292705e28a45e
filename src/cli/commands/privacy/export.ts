import { exportFromWarehouse } from '../../../../pipelines/erasures/export-person.ts'
import { findSnapshots } from '../../../../pipelines/snapshot/find-person.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { exportPerson } from '../../../privacy/export-person.ts'
import { parseDescription } from '../../../privacy/person-description.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService, openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { sinkOf } from '../../support/sink.ts'

/** Prints JSON with or without `--json`. */
export const exportData: Handler<{ person: string; company: string | undefined }> = async (command, given) => {
  await using service = await openService(command)
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  const { matcher, rows } = await exportPerson(service.db, parseDescription(given.person, given.company), cliActor())
  const exported = {
    service: rows,
    warehouse: await exportFromWarehouse(warehouse.db, matcher),
    snapshots: await findSnapshots(await sinkOf(command.config), matcher),
  }
  command.out.result(exported, () => JSON.stringify(exported, null, 2))
}
