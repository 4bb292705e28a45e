import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../../lib/logger.ts'

/**
 * In the repository, `npm ci` builds the console; in the package, the build is in the same folder as the JavaScript.
 */
const FOLDER = import.meta.filename.endsWith('.ts') ? '../../../../dist/console/' : '../../../../console/'

/** The folder of the built console; undefined, with a warning, if it was not built. */
export function consoleFolder(log: Log): string | undefined {
  const folder = fileURLToPath(new URL(FOLDER, import.meta.url))
  if (existsSync(`${folder}index.html`)) return folder
  log.warn('the console is not built, so /console is not served; build it with `npm run build:console`')
  return undefined
}
