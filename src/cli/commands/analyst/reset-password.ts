import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { analystAddress, resetPassword } from '../../support/access/analyst-login.ts'
import { ANALYST } from '../../support/access/analyst-rules.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { auditedInWarehouse } from '../../support/warehouse-audit.ts'

export const resetAnalystPassword: Handler = async (command) => {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  const change = { action: 'analyst.reset_password', target: ANALYST }
  const { password, pending } = await auditedInWarehouse(warehouse.db, change, () =>
    resetPassword(warehouse.urls.admin, command.config.secrets.analyst_password),
  )
  const url = await analystAddress(warehouse)
  command.out.result({ password, url, pending }, () =>
    [
      `New password of ${ANALYST}: ${password}`,
      `Connection URL: ${url}`,
      ...pending.map((statement) => `-- Run as an administrator to set it:\n${statement};`),
    ].join('\n'),
  )
  return pending.length > 0 ? EXIT.degraded : EXIT.done
}
