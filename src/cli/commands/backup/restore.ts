import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError } from '../../../lib/errors.ts'
import { readBackup, SECRETS } from '../../support/backup/manifest.ts'
import { restoreBackup } from '../../support/backup/read-backup.ts'
import type { Handler } from '../../support/definition.ts'
import { backupSinkOf } from '../../support/sink.ts'

export const restore: Handler<{ id: string | undefined }> = async ({ config, out }, { id }) => {
  const dataDir = resolve(config.data_dir)
  const sink = await backupSinkOf(config)
  const manifest = await readBackup(sink, id)
  for (const name of ['postgres', ...SECRETS]) await refuseExisting(join(dataDir, name))
  await restoreBackup(sink, manifest, dataDir)
  out.result({ ...manifest, data_dir: dataDir }, () =>
    [
      `Restored backup ${manifest.id} of ${manifest.created_at} to ${dataDir}.`,
      'Start talhouse: PostgreSQL replays the WAL, and the next nightly run catches up.',
    ].join('\n'),
  )
}

async function refuseExisting(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  )
  if (exists)
    throw new AppError('conflict', `${path} exists. Move it away, or set TALHOUSE_DATA_DIR to another folder.`)
}
