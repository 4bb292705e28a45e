import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { pack as createPack } from 'tar-stream'
import type { Sink } from '../../../../pipelines/sinks/sink.ts'
import { packCluster, packFile } from '../../../lib/embedded-postgres/physical-backup.ts'
import type { EmbeddedPostgres } from '../../../lib/embedded-postgres/server.ts'
import { createMeter } from '../../../lib/meter.ts'
import { withClient } from '../../../lib/postgres.ts'
import type { BackupManifest } from './manifest.ts'
import { archiveKey, listBackups, manifestKey, SECRETS } from './manifest.ts'

/** Backs up the running embedded server and the secrets in its data folder. */
export async function createBackup(server: EmbeddedPostgres, dataDir: string, sink: Sink): Promise<BackupManifest> {
  const started = performance.now()
  const url = server.url('postgres')
  const { rows } = await withClient(url, (client) =>
    client.query<{ now: string; version: string }>(
      `select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now, current_setting('server_version') as version`,
    ),
  )
  const { now = '', version = '' } = rows[0] ?? {}
  const id = `${now.replaceAll(/[-:]/g, '')}-${randomBytes(3).toString('hex')}`
  const pack = createPack()
  const meter = createMeter()
  const stored = new PassThrough()
  await Promise.all([
    fill(),
    pipeline(pack, createZstdCompress(), meter.stream, stored),
    sink.write(archiveKey(id), stored),
  ])
  const manifest: BackupManifest = {
    id,
    created_at: now,
    postgres_version: version,
    archive: archiveKey(id),
    bytes: meter.bytes(),
    sha256: meter.sha256(),
    seconds: Math.round((performance.now() - started) / 100) / 10,
  }
  await sink.write(manifestKey(id), Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]))
  return manifest

  async function fill(): Promise<void> {
    try {
      for (const name of SECRETS) await packFile(pack, join(dataDir, name), name)
      await packCluster(url, resolve(dataDir, 'postgres'), pack, 'postgres/')
      pack.finalize()
    } catch (error) {
      pack.destroy(error as Error)
      throw error
    }
  }
}

/** Deletes all but the newest `keep` complete backups. Returns the IDs of the deleted backups. */
export async function expireBackups(sink: Sink, keep: number): Promise<string[]> {
  const expired = (await listBackups(sink)).slice(keep)
  // Deletes the manifest first, so that a partially deleted backup counts as incomplete.
  for (const { id } of expired) await sink.remove([manifestKey(id), archiveKey(id)])
  return expired.map(({ id }) => id)
}
