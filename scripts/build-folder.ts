import { randomUUID } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export const ROOT = join(import.meta.dirname, '..')

/**
 * Builds a folder, unless it is up to date, and returns its path. `build` writes to an empty folder, which then replaces
 * the old one, so test files can build concurrently without deleting each other's files. `product` is a file that every
 * build writes.
 */
export async function buildFolder(
  path: string,
  sources: readonly string[],
  build: (folder: string) => Promise<unknown>,
  product = 'index.html',
): Promise<string> {
  const folder = join(ROOT, path)
  const built = join(folder, product)
  const changed = Math.max(...globSync(sources, { cwd: ROOT }).map((file) => statSync(join(ROOT, file)).mtimeMs))
  if (existsSync(built) && statSync(built).mtimeMs > changed) return folder
  const unfinished = `${folder}-${randomUUID()}`
  const replaced = `${unfinished}-replaced`
  try {
    await build(unfinished)
    mkdirSync(folder, { recursive: true })
    renameSync(folder, replaced)
    renameSync(unfinished, folder)
  } finally {
    for (const rest of [unfinished, replaced]) rmSync(rest, { recursive: true, force: true })
  }
  return folder
}

/** Writes a compressed copy next to each file. */
export function compress(files: readonly string[]): void {
  for (const file of files) {
    const text = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(text))
    writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
  }
}
