import { readBackup } from '../../support/backup/manifest.ts'
import { verifyBackup } from '../../support/backup/read-backup.ts'
import type { Handler } from '../../support/definition.ts'
import { backupSinkOf } from '../../support/sink.ts'

export const verify: Handler<{ id: string | undefined }> = async ({ config, out }, { id }) => {
  const sink = await backupSinkOf(config)
  const manifest = await readBackup(sink, id)
  const files = await verifyBackup(sink, manifest)
  out.result({ ...manifest, files }, () => `Backup ${manifest.id} is intact: ${files} files.`)
}
