import { listBackups } from '../../support/backup/manifest.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRows } from '../../support/output.ts'
import { backupSinkOf } from '../../support/sink.ts'

export const list: Handler = async ({ config, out }) => {
  const sink = await backupSinkOf(config)
  const backups = await listBackups(sink)
  out.result(backups, () =>
    backups.length > 0
      ? formatRows(
          backups.map(({ id, created_at, postgres_version, bytes }) => ({ id, created_at, postgres_version, bytes })),
          'table',
        )
      : `No backups in ${sink.url} yet. Create one with \`talhouse backup create\`.`,
  )
}
