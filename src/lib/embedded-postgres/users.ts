import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../errors.ts'

/**
 * Tracks the processes that share the server, one empty file per pid, so that only the last one stops it. Files of dead processes
 * are removed.
 */
const folderOf = (dataDir: string): string => join(dataDir, 'postgres.users')

export async function registerUser(dataDir: string): Promise<void> {
  await mkdir(folderOf(dataDir), { recursive: true })
  await writeFile(join(folderOf(dataDir), String(process.pid)), '')
}

/** Returns the number of other processes using the server. */
export async function unregisterUser(dataDir: string): Promise<number> {
  await rm(join(folderOf(dataDir), String(process.pid)), { force: true })
  let others = 0
  for (const name of await readdir(folderOf(dataDir)).catch(() => [])) {
    if (isAlive(Number(name))) others += 1
    else await rm(join(folderOf(dataDir), name), { force: true })
  }
  return others
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}
