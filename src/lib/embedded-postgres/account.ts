import { execFile } from 'node:child_process'
import { chown, lstat, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../errors.ts'

/** The unprivileged operating system account that runs the server. PostgreSQL refuses to run as root. */
export interface Account {
  uid: number
  gid: number
  /** Wraps a command, for systems where setting uid and gid is not sufficient. */
  wrap?: (file: string, args: string[]) => [string, string[]]
}

const run = promisify(execFile)

/**
 * Returns the cluster's non-root owner, if any; otherwise `postgres` or, if that account does not exist, `nobody`.
 * Returns undefined unless talhouse runs as root. Users are never created. Throws `configuration` if the server cannot
 * access one of `paths`.
 */
export async function serverAccount(paths: string[], cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const account = (await ownerOf(cluster)) ?? (await defaultAccount())
  const closed = (await Promise.all(paths.map((path) => firstClosedFolder(path, account)))).find(Boolean)
  if (!closed) return account
  if (await canKeepSearching(account))
    return { ...account, wrap: (file, args) => ['setpriv', [...searching(account), file, ...args]] }
  throw new AppError(
    'configuration',
    `PostgreSQL runs as ${await nameOf(account)}, which cannot access ${closed}. Run \`chmod o+x ${closed}\`, or move talhouse and TALHOUSE_DATA_DIR to an accessible folder such as /srv/talhouse.`,
  )
}

async function ownerOf(cluster: string): Promise<Account | undefined> {
  const found = await stat(cluster).catch(() => undefined)
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined
}

async function defaultAccount(): Promise<Account> {
  const users = await readUsers()
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (user) return { uid: Number(user[2]), gid: Number(user[3]) }
  throw new AppError(
    'configuration',
    'PostgreSQL cannot run as root and there is no user `postgres` or `nobody`. Run talhouse as another user.',
  )
}

async function nameOf({ uid }: Account): Promise<string> {
  return (await readUsers()).find(([, , id]) => Number(id) === uid)?.[0] ?? `user ${uid}`
}

const readUsers = async (): Promise<string[][]> =>
  (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))

/** Returns the topmost folder in `path` that the account cannot traverse. `path` need not exist. */
async function firstClosedFolder(path: string, account: Account): Promise<string | undefined> {
  const parent = dirname(path)
  const above = parent === path ? undefined : await firstClosedFolder(parent, account)
  if (above) return above
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory() || found.uid === account.uid) return undefined
  const mayEnter = found.gid === account.gid ? found.mode & 0o010 : found.mode & 0o001
  return mayEnter ? undefined : path
}

/** Arguments for `setpriv` that keep the capability to traverse and read folders such as /root. */
const searching = ({ uid, gid }: Account): string[] => [
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  // Without this securebit, access(2) ignores the capability, and initdb rejects its own binaries.
  '--securebits=+no_setuid_fixup',
  '--inh-caps=-all,+dac_read_search',
  '--ambient-caps=-all,+dac_read_search',
]

const canKeepSearching = (account: Account): Promise<boolean> =>
  run('setpriv', [...searching(account), 'true']).then(
    () => true,
    () => false,
  )

/** Changes the owner recursively. */
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
