import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../src/lib/errors.ts'

/**
 * The folder of programs of a Python that has a file's requirements, kept in the system's temporary folder under a name; undefined, with the reason
 * printed, where it cannot be had.
 */
export function pythonWith(name: string, requirements: string): string | undefined {
  const folder = join(tmpdir(), `talhouse-${name}`)
  const programs = join(folder, 'bin')
  const python = join(programs, 'python')
  try {
    if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', folder], { stdio: 'pipe' })
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements], { stdio: 'pipe' })
    return programs
  } catch (error) {
    console.log(`skipped: ${name} cannot be installed here (${messageOf(error).split('\n')[0]})`)
    return undefined
  }
}
