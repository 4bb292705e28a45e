import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import type { Headers } from 'tar-stream'
import { extract } from 'tar-stream'
import type { Sink } from '../../../../pipelines/sinks/sink.ts'
import { chownTree, serverAccount } from '../../../lib/embedded-postgres/account.ts'
import { AppError, messageOf } from '../../../lib/errors.ts'
import { createMeter } from '../../../lib/meter.ts'
import type { BackupManifest } from './manifest.ts'
import { SECRETS } from './manifest.ts'

type OnEntry = (header: Headers, content: Readable) => Promise<void>

/**
 * Reads the whole archive and verifies its checksum. Returns the number of files. Throws `incomplete` if the backup is
 * damaged.
 */
export async function verifyBackup(sink: Sink, manifest: BackupManifest): Promise<number> {
  let files = 0
  await readArchive(sink, manifest, async ({ type }, content) => {
    if (type === 'file') files += 1
    for await (const _chunk of content);
  })
  return files
}

/**
 * Restores a backup into a data folder that contains no cluster. Files are extracted to a temporary folder and moved
 * into place after the checksum has been verified, so an interrupted restore leaves no partial cluster.
 */
export async function restoreBackup(sink: Sink, manifest: BackupManifest, dataDir: string): Promise<void> {
  const draft = join(dataDir, '.restore')
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  try {
    await readArchive(sink, manifest, async ({ name, type }, content) => {
      const path = join(draft, name)
      if (!path.startsWith(draft + sep)) throw new Error(`${name} is outside the data folder`)
      await mkdir(type === 'directory' ? path : dirname(path), { recursive: true, mode: 0o700 })
      if (type === 'file') await pipeline(content, createWriteStream(path, { mode: 0o600, flush: true }))
      else for await (const _chunk of content);
    })
    const account = await serverAccount([dataDir], join(dataDir, 'postgres'))
    if (account) await chownTree([join(draft, 'postgres')], account)
    // The cluster folder is renamed last, because its presence marks a complete restore.
    for (const name of [...SECRETS, 'postgres'])
      await rename(join(draft, name), join(dataDir, name)).catch((error: NodeJS.ErrnoException) => {
        if (name !== 'pipelines.key' || error.code !== 'ENOENT') throw error
      })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function readArchive(sink: Sink, manifest: BackupManifest, onEntry: OnEntry): Promise<void> {
  const object = await sink.read(manifest.archive)
  if (!object) throw damaged(manifest, 'its archive is missing')
  const meter = createMeter()
  const archive = extract()
  const entries = (async () => {
    for await (const entry of archive) await onEntry(entry.header, entry as unknown as Readable)
  })()
  try {
    await Promise.all([pipeline(object.body, meter.stream, createZstdDecompress(), archive), entries])
  } catch (error) {
    throw damaged(manifest, messageOf(error), error)
  }
  if (meter.sha256() !== manifest.sha256) throw damaged(manifest, 'its checksum differs')
}

const damaged = ({ id }: BackupManifest, reason: string, cause?: unknown): AppError =>
  new AppError('incomplete', `Backup ${id} is damaged: ${reason}. Use an older backup.`, { cause })
