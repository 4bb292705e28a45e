import { resetPassword } from '../../support/access/analyst-login.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { EXIT } from '../../support/exit-codes.ts'

export const resetAnalystPassword: Handler = async (command) => {
  await using warehouse = await openWarehouse(command)
  const { password, pending } = await resetPassword(warehouse.urls.admin, command.config.secrets.analyst_password)
  command.out.result({ password, pending }, () =>
    [
      `New password of talhouse_analyst: ${password}`,
      ...pending.map((statement) => `-- Run as an administrator to set it:\n${statement};`),
    ].join('\n'),
  )
  return pending.length > 0 ? EXIT.degraded : EXIT.done
}
