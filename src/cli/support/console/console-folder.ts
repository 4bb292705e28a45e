import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * In the repository, `npm ci` builds the console; in the package, the build is in the same folder as the JavaScript.
 */
const FOLDER = import.meta.filename.endsWith('.ts') ? '../../../../dist/console/' : '../../../../console/'

/** How to build the console in the repository. */
export const CONSOLE_NOT_BUILT = 'The console is not built. Build it with `npm run build:console`.'

/** The folder of the built console; undefined if it was not built. */
export function consoleFolder(): string | undefined {
  const folder = fileURLToPath(new URL(FOLDER, import.meta.url))
  return existsSync(`${folder}index.html`) ? folder : undefined
}
