import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Finds a repository in a folder: as `OWNER/NAME` (a checkout), `OWNER/NAME.git` (a bare repository) or
 * `OWNER+NAME/repo` (either).
 */
export const findRepository = (folder: string, repository: string): string | undefined =>
  [repository, `${repository}.git`, join(repository.replace('/', '+'), 'repo')]
    .map((name) => join(folder, name))
    .find((name) => existsSync(name))

/** Reads files at commits from a repository. The keys are `COMMIT:PATH`; missing files are left out. */
export function readGitFiles(directory: string, names: readonly string[]): Map<string, Buffer> {
  const { stdout, status, stderr } = spawnSync(
    'git',
    ['-c', 'safe.directory=*', '-C', directory, 'cat-file', '--batch'],
    { input: `${names.join('\n')}\n`, maxBuffer: 2 ** 31 - 1 },
  )
  if (status !== 0) throw new Error(`git cat-file in ${directory}: ${stderr}`)
  const files = new Map<string, Buffer>()
  let at = 0
  for (const name of names) {
    const end = stdout.indexOf('\n', at)
    const size = / blob (\d+)$/u.exec(stdout.toString('utf8', at, end))?.[1]
    at = end + 1
    if (size === undefined) continue
    files.set(name, stdout.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  return files
}
