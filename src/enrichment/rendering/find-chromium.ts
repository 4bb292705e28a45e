import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { AppError, messageOf } from '../../lib/errors.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/**
 * Returns the path of Chromium. If `executable` is empty, Chromium is found in PATH. Throws `configuration` if Chromium or playwright-core is not installed.
 */
export function findChromium(executable: string): string {
  try {
    import.meta.resolve('playwright-core')
  } catch (error) {
    throw new AppError(
      'configuration',
      `enrichment.rendering.engine: chromium needs the package playwright-core, which is not installed: ${messageOf(error)}`,
      { cause: error },
    )
  }
  // biome-ignore lint/style/noProcessEnv: PATH is not a setting
  const path = process.env['PATH'] ?? ''
  const candidates =
    executable === ''
      ? path.split(delimiter).flatMap((folder) => (folder === '' ? [] : NAMES.map((name) => join(folder, name))))
      : [executable]
  const found = candidates.find(isExecutable)
  if (found !== undefined) return found
  throw new AppError(
    'configuration',
    executable === ''
      ? `enrichment.rendering.engine: no Chromium was found in PATH; install it or set enrichment.rendering.executable`
      : `enrichment.rendering.executable: ${executable} is not an executable file`,
  )
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
