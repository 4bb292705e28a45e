import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = '/usr/lib/postgresql'

/** Returns why the system's PostgreSQL cannot be used; undefined if it is installed. */
export const systemPostgresProblem = (): string | undefined =>
  existsSync(FOLDER) ? undefined : `PostgreSQL is not installed in ${FOLDER} (Debian: postgresql)`

/** The programs of the newest PostgreSQL on the system, and the user that runs them. */
export interface SystemPostgres {
  bin: string
  /** Options of `spawn`: the user postgres if this process is root, because PostgreSQL refuses to run as root. */
  user: { uid?: number; gid?: number }
}

/** Finds the system's PostgreSQL. Throws if it is not installed. */
export function systemPostgres(): SystemPostgres {
  const problem = systemPostgresProblem()
  if (problem) throw new Error(problem)
  const newest = readdirSync(FOLDER).toSorted((one, other) => Number(other) - Number(one))[0] ?? ''
  const idOf = (option: '-u' | '-g'): number => Number(execFileSync('id', [option, 'postgres']))
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  return { bin: join(FOLDER, newest, 'bin'), user }
}
