import { text } from 'node:stream/consumers'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Sink } from '../../../../pipelines/sinks/sink.ts'
import { AppError } from '../../../lib/errors.ts'

/** The manifest of a backup, which is written after the archive, so a backup without a manifest is incomplete. */
const BackupManifest = Type.Object({
  id: Type.String(),
  /** Start time of the backup according to the database's clock, ISO 8601. Later commits may be missing. */
  created_at: Type.String(),
  postgres_version: Type.String(),
  /** Key of the archive, a tar file compressed with zstd. */
  archive: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  seconds: Type.Number(),
})
export type BackupManifest = Static<typeof BackupManifest>

/** Files in the data folder that the restored roles and pipelines need to log in. */
export const SECRETS = ['postgres.password', 'pipelines.key'] as const

export const archiveKey = (id: string): string => `${id}/base.tar.zst`
export const manifestKey = (id: string): string => `${id}/manifest.json`

/** Lists complete backups, newest first. */
export async function listBackups(sink: Sink): Promise<BackupManifest[]> {
  const manifests: BackupManifest[] = []
  for await (const { key } of sink.list(''))
    if (key.endsWith('/manifest.json')) manifests.push(await readBackup(sink, key.split('/')[0] as string))
  return manifests.sort((a, b) => (a.id < b.id ? 1 : -1))
}

/** Reads a backup's manifest; by default, that of the latest backup. Throws `not_found` or `bad_input`. */
export async function readBackup(sink: Sink, id: string | undefined): Promise<BackupManifest> {
  if (id === undefined) {
    const [latest] = await listBackups(sink)
    if (latest) return latest
    throw new AppError(
      'not_found',
      `No backups in ${sink.url} yet. Create one with \`talhouse backup create\`, or set TALHOUSE_BACKUP_URL to another folder.`,
    )
  }
  const object = await sink.read(manifestKey(id))
  if (!object) throw new AppError('not_found', `Backup ${id} is missing or incomplete in ${sink.url}.`)
  const manifest: unknown = await text(object.body).then(JSON.parse, () => undefined)
  if (Value.Check(BackupManifest, manifest)) return manifest
  throw new AppError('bad_input', `The manifest of backup ${id} is damaged.`)
}
