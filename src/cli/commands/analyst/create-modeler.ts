import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { MODELER } from '../../support/access/database-rules.ts'
import { createModelerLogin, MODELS } from '../../support/access/modeler.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { auditedInWarehouse } from '../../support/warehouse-audit.ts'

export const createModeler: Handler = async (command) => {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  const change = { action: 'analyst.create_modeler', target: MODELER }
  const login = await auditedInWarehouse(warehouse.db, change, () => createModelerLogin(warehouse.urls.admin))
  command.out.result({ role: MODELER, schema: MODELS, ...login }, () =>
    [
      `The role ${MODELER} owns the schema ${MODELS}. New password, not stored: ${login.password}`,
      `Connection URL: ${login.url}`,
      ...login.pending.map((statement) => `-- Run as an administrator:\n${statement};`),
    ].join('\n'),
  )
  return login.pending.length > 0 ? EXIT.degraded : EXIT.done
}
