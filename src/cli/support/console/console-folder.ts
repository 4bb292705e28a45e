import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * In the repository, `npm ci` builds the console and the guide; in the package, they are in the same folder as the
 * JavaScript.
 */
const BUILT = import.meta.filename.endsWith('.ts') ? '../../../../dist/' : '../../../../'

/** Instructions for building the console in the repository. */
export const CONSOLE_NOT_BUILT = 'The console is not built. Build it with `npm run build:console`.'

/** Returns the folder of the built console; undefined if the console has not been built. */
export const consoleFolder = (): string | undefined => folderOf('console')

/** Returns the directory that contains the built guide; undefined if the guide has not been built. */
export const guideFolder = (): string | undefined => folderOf('guide')

function folderOf(name: string): string | undefined {
  const folder = fileURLToPath(new URL(`${BUILT}${name}/`, import.meta.url))
  return existsSync(`${folder}index.html`) ? folder : undefined
}
