/**
 * `npm run chaos -- disk-full`: fills the data folder's disk (tmpfs in a mount namespace) while tasks are submitted
 * over HTTP. No accepted task may be lost, no process may exit, and the service must recover when space is available
 * again. Requires Linux and root; takes about two minutes.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDisk } from './fill-disk.ts'

const MEGABYTE = 2 ** 20
const INSIDE = '--inside'
const folder = process.argv[process.argv.indexOf(INSIDE) + 1]
if (process.argv.includes(INSIDE) && folder) await inside(folder)
else await outside()

/** The mount is visible only to this process and disappears when the process ends. */
async function outside(): Promise<void> {
  if (spawnSync('unshare', ['-m', 'true']).status !== 0) {
    console.log('skipped: this user may not make a mount namespace (unshare -m)')
    return
  }
  const mount = await mkdtemp(join(tmpdir(), 'talhouse-disk-'))
  const again = ['-m', process.execPath, import.meta.filename, INSIDE, mount]
  process.exitCode = spawnSync('unshare', again, { stdio: 'inherit' }).status ?? 1
  await rm(mount, { recursive: true, force: true })
}

async function inside(mount: string): Promise<void> {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=0755', 'tmpfs', mount])
  for (const left of [24 * MEGABYTE, 8 * MEGABYTE]) {
    const result = await fillDisk({ mount, left, free: () => bytesFree(mount) })
    console.dir(result, { depth: 4 })
    const wrong = [result.lost, result.processExits, result.discrepancies, result.oddRefusals.length]
    if (wrong.some((count) => count !== 0) || result.refusedWhileFull === 0) process.exitCode = 1
  }
}

async function bytesFree(mount: string): Promise<number> {
  const { bavail, bsize } = await statfs(mount)
  return bavail * bsize
}
