import { chown, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sleep } from '../backoff.ts'
import { AppError, systemCode } from '../errors.ts'

/**
 * Maximum time to wait for the lock, in milliseconds. The wait is long enough for other processes to run initdb,
 * recover from a crash, and stop the server.
 */
const WAIT_LIMIT_MS = 5 * 60_000
/** SQLite's error code for a locked database. */
const BUSY = 5

/**
 * Waits for the lock on a data folder. Processes hold the lock while they create, start or stop the folder's server.
 * Uses SQLite's lock on an empty file, because the operating system releases that lock if the process dies.
 */
export async function lockFolder(dataDir: string): Promise<Disposable> {
  const path = join(dataDir, 'postgres.lock')
  await createFile(path)
  await giveToFolderOwner(path, dataDir)
  const lock = new DatabaseSync(path)
  try {
    for (const deadline = Date.now() + WAIT_LIMIT_MS; !tryLock(lock); await sleep(50))
      if (Date.now() > deadline)
        throw new AppError(
          'unavailable',
          `Another process has been starting or stopping PostgreSQL in ${dataDir} for five minutes. Stop that process or wait until it ends.`,
        )
  } catch (error) {
    lock.close()
    throw error
  }
  return { [Symbol.dispose]: () => lock.close() }
}

/**
 * Creates the file if it is missing. Does not open an existing file, because closing any descriptor of a file releases
 * this process's locks on it.
 */
async function createFile(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close()
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === BUSY) return false
    throw error
  }
}

/**
 * Gives a file to the folder's owner, so that talhouse running as root does not leave files that the owner cannot open.
 */
export async function giveToFolderOwner(path: string, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(folder)
  await chown(path, uid, gid)
}
