import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../src/lib/errors.ts'

/**
 * Returns the `bin` folder of a Python virtual environment with the requirements in a file. The environment is cached
 * by name in the system's temporary folder. If it cannot be created, prints the reason and returns undefined.
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
 * Returns a folder with npm packages in its `node_modules`, for programs whose dependencies conflict with the
 * project's. The folder is cached like a Python environment. If the packages cannot be installed, prints the reason and
 * returns undefined.
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
