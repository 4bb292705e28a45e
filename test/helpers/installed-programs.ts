import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../src/lib/errors.ts'

/**
 * The `bin` folder of a Python virtual environment with the requirements of a file, cached in the system's temporary
 * folder by name. Undefined, with the reason printed, if it cannot be created.
 */
export function pythonWith(name: string, requirements: string): string | undefined {
  const folder = join(tmpdir(), `talhouse-${name}`)
  const programs = join(folder, 'bin')
  const python = join(programs, 'python')
  return unlessSkipped(name, () => {
    if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', folder], { stdio: 'pipe' })
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements], { stdio: 'pipe' })
    return programs
  })
}

/**
 * A folder with npm packages in its `node_modules`, cached like the Python packages, for programs whose dependencies
 * conflict with the project's. Undefined, with the reason printed, if they cannot be installed.
 */
export function packagesOf(name: string, packages: readonly string[]): string | undefined {
  const folder = join(tmpdir(), `talhouse-${name}`)
  return unlessSkipped(name, () => {
    mkdirSync(folder, { recursive: true })
    const options = ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel', 'error']
    execFileSync('npm', ['install', ...options, ...packages], { stdio: 'pipe' })
    return folder
  })
}

function unlessSkipped(name: string, install: () => string): string | undefined {
  try {
    return install()
  } catch (error) {
    console.log(`skipped: ${name} cannot be installed here (${messageOf(error).split('\n')[0]})`)
    return undefined
  }
}
