import { startEmbeddedPostgres } from '../../../lib/embedded-postgres/server.ts'
import { AppError } from '../../../lib/errors.ts'
import { createBackup, expireBackups } from '../../support/backup/create-backup.ts'
import type { Handler } from '../../support/definition.ts'
import { backupSinkOf } from '../../support/sink.ts'

export const create: Handler = async ({ config, log, out }) => {
  const { data_dir: dataDir, postgres } = config
  if (config.service.database_url && config.warehouse.database_url)
    throw new AppError(
      'configuration',
      'Both databases are on your own server: back them up with pg_dump or the server\'s tools (docs/operations.md, "Backups").',
    )
  const sink = await backupSinkOf(config)
  await using server = await startEmbeddedPostgres({ dataDir, port: postgres.port, log, create: false })
  const backup = await createBackup(server, dataDir, sink)
  const expired = await expireBackups(sink, config.backup.keep)
  out.result({ ...backup, url: sink.url, expired }, () =>
    [
      `Created backup ${backup.id} in ${sink.url}: ${(backup.bytes / 1e6).toFixed(1)} MB in ${backup.seconds} s`,
      ...expired.map((id) => `Deleted backup ${id} (backup.keep)`),
      `Verify it: talhouse backup verify ${backup.id}`,
    ].join('\n'),
  )
}
