import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemCode } from '../errors.ts'

/**
 * Keeps an empty file, named after the pid, for each process that uses the server, so that only the last process stops
 * the server. Removes the files of dead processes.
 */
const folderOf = (dataDir: string): string => join(dataDir, 'postgres.users')

/** Registers a process that uses the server, and returns the path of its file. */
export async function registerUser(dataDir: string): Promise<string> {
  await mkdir(folderOf(dataDir), { recursive: true })
  const path = join(folderOf(dataDir), `${process.pid}.${randomUUID()}`)
  await writeFile(path, '')
  return path
}

/** Unregisters a process that uses the server and returns the number of remaining processes. */
export async function unregisterUser(path: string): Promise<number> {
  await rm(path, { force: true })
  let others = 0
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    if (isAlive(Number(name.split('.')[0]))) others += 1
    else await rm(join(dirname(path), name), { force: true })
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
