import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pack } from 'tar-stream'
import { systemCode } from '../errors.ts'
import type { PostgresConnection } from '../postgres.ts'
import { withClient } from '../postgres.ts'

/** Folders whose contents are excluded from a backup, as in pg_basebackup. */
const EMPTY_FOLDERS = /^pg_(wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)$/
/** Files that describe the running server or that the server recreates. */
const SKIPPED = /(^|\/)(postmaster\.(pid|opts)|backup_label|tablespace_map|pg_internal\.init.*|pgsql_tmp.*)$/
const CONTROL_FILE = 'global/pg_control'
const CHUNK = 1 << 20

interface BackupEnd {
  labelfile: string
  first_wal: string
  last_wal: string
}

/**
 * Adds a consistent copy of a running cluster to `pack`, under `prefix`, with the WAL required for its recovery. The
 * copy includes all transactions committed before the call. Writers are not blocked. `url` must log in as a superuser.
 * Source: PostgreSQL manual, "Making a Base Backup Using the Low Level API".
 */
export async function packCluster(url: string, cluster: string, pack: Pack, prefix: string): Promise<void> {
  await withClient(url, async (client) => {
    const slot = `talhouse_backup_${process.pid}`
    // The slot retains the WAL written during the backup, and is dropped when the connection ends.
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot])
    await client.query(`select pg_backup_start('talhouse', fast => true)`)
    await packFolder(pack, cluster, '', prefix)
    await packFile(pack, join(cluster, CONTROL_FILE), `${prefix}${CONTROL_FILE}`)
    const { labelfile, first_wal: first, last_wal: last } = await endBackup(client)
    await packText(pack, `${prefix}backup_label`, labelfile)
    for (const name of (await readdir(join(cluster, 'pg_wal'))).sort())
      if (isNeeded(name, first, last)) await packFile(pack, join(cluster, 'pg_wal', name), `${prefix}pg_wal/${name}`)
  })
}

async function endBackup(client: PostgresConnection): Promise<BackupEnd> {
  const { rows } = await client.query<{ lsn: string; labelfile: string }>(
    'select lsn::text, labelfile from pg_backup_stop(wait_for_archive => false)',
  )
  const { lsn = '', labelfile = '' } = rows[0] ?? {}
  const first = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/.exec(labelfile)?.[1] ?? ''
  const last = await client.query<{ name: string }>('select pg_walfile_name($1::pg_lsn) as name', [lsn])
  return { labelfile, first_wal: first, last_wal: last.rows[0]?.name ?? '' }
}

const isNeeded = (name: string, first: string, last: string): boolean =>
  /^[0-9A-F]{24}$/.test(name) ? name >= first && name <= last : name.endsWith('.history')

async function packFolder(pack: Pack, root: string, folder: string, prefix: string): Promise<void> {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (SKIPPED.test(path) || path === CONTROL_FILE) continue
    if (entry.isDirectory()) {
      await packDirectory(pack, `${prefix}${path}`)
      if (!EMPTY_FOLDERS.test(path)) await packFolder(pack, root, path, prefix)
    } else if (entry.isFile()) await packFile(pack, join(root, path), `${prefix}${path}`)
  }
}

const packDirectory = (pack: Pack, name: string): Promise<void> =>
  new Promise((done, fail) => {
    pack.entry({ name, type: 'directory', mode: 0o700 }, (error) => (error ? fail(error) : done()))
  })

const packText = (pack: Pack, name: string, text: string): Promise<void> =>
  new Promise((done, fail) => {
    pack.entry({ name, mode: 0o600 }, text, (error) => (error ? fail(error) : done()))
  })

/**
 * Adds a file with its current size. WAL replay restores changes that the server makes during the read. Skips a file
 * that the server has just deleted.
 */
export async function packFile(pack: Pack, path: string, name: string): Promise<void> {
  await using file = await open(path, 'r').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (!file) return
  const { size } = await file.stat()
  const entry = pack.entry({ name, size, mode: 0o600 })
  const ended = new Promise<void>((done, fail) => entry.once('finish', done).once('error', fail))
  ended.catch(() => undefined) // awaited below
  for (let at = 0; at < size; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK, size - at)) // A truncated file is padded with zeros.
    await file.read(chunk, 0, chunk.length, at)
    at += chunk.length
    if (!entry.write(chunk)) await Promise.race([new Promise<void>((done) => entry.once('drain', done)), ended])
  }
  entry.end(undefined)
  await ended
}
