import { execFile } from 'node:child_process'
import { chown, lstat, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../errors.ts'

/** Who runs the server when we are root: PostgreSQL refuses to. */
export interface Account {
  uid: number
  gid: number
  /** Present when a plain change of user would not do: gives the command that changes it. */
  wrap?: (file: string, args: string[]) => [string, string[]]
}

const run = promisify(execFile)

/**
 * `postgres` where the system has it, else `nobody`. No user is created. Undefined when we are not root.
 * `paths` are what the server has to reach.
 */
export async function serverAccount(paths: string[]): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const users = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user) {
    throw new AppError(
      'configuration',
      'PostgreSQL does not run as root, and this system has no user `postgres` or `nobody`. Run talhouse as another user.',
    )
  }
  const account: Account = { uid: Number(user[2]), gid: Number(user[3]) }
  const closed = (await Promise.all(paths.map((path) => firstClosedFolder(path, account)))).find(Boolean)
  if (!closed) return account
  if (await canKeepSearching(account))
    return { ...account, wrap: (file, args) => ['setpriv', [...searching(account), file, ...args]] }
  throw new AppError(
    'configuration',
    `PostgreSQL runs as ${user[0]}, who may not enter ${closed}. Run \`chmod o+x ${closed}\`, or keep talhouse and TALHOUSE_DATA_DIR in a folder that others may enter, such as /srv/talhouse.`,
  )
}

/** The first folder on the way to `path` (which need not exist yet) that the account may not pass through. */
async function firstClosedFolder(path: string, account: Account): Promise<string | undefined> {
  const parent = dirname(path)
  const above = parent === path ? undefined : await firstClosedFolder(parent, account)
  if (above) return above
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory() || found.uid === account.uid) return undefined
  const mayEnter = found.gid === account.gid ? found.mode & 0o010 : found.mode & 0o001
  return mayEnter ? undefined : path
}

/** A home such as /root is closed to others. The kernel lets a process keep just the right to pass through folders and to read. */
const searching = ({ uid, gid }: Account): string[] => [
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--inh-caps=-all,+dac_read_search',
  '--ambient-caps=-all,+dac_read_search',
]

const canKeepSearching = (account: Account): Promise<boolean> =>
  run('setpriv', [...searching(account), 'true']).then(
    () => true,
    () => false,
  )

/** Gives files and folders, with all that is in them, to the account. */
export async function chownTree(paths: string[], account: Account): Promise<void> {
  for (const path of paths) {
    await chown(path, account.uid, account.gid)
    if ((await lstat(path)).isDirectory())
      await chownTree(
        (await readdir(path)).map((name) => join(path, name)),
        account,
      )
  }
}
