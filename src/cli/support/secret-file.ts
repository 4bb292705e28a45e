import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../../lib/errors.ts'

/**
 * Reads a secret from the data folder, creating it on first use with owner-only permissions. Concurrent callers get the
 * same secret.
 */
export async function secretFile(dataDir: string, name: string, make: () => Promise<string>): Promise<string> {
  const file = join(dataDir, name)
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined) return kept.trim()
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, await make(), { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error
  })
  return (await readFile(file, 'utf8')).trim()
}
