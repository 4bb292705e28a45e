import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildFolder } from '../../scripts/build-folder.ts'
import { BUNDLE_SOURCES, bundleDependencies, writeEntries } from '../../scripts/bundle-dependencies.ts'
import { LICENSES } from '../../scripts/bundled-packages.ts'

/** The folder of the bundle that tests use. */
export const BUNDLE = 'node_modules/.cache/bundled-dependencies'

/**
 * Builds the bundle if necessary, and returns the Node option with which processes import the dependencies from it. A
 * command then starts in half of the CPU time.
 */
export async function importBundled(): Promise<string> {
  await writeEntries()
  await buildFolder(BUNDLE, BUNDLE_SOURCES, bundleDependencies, LICENSES)
  return `--import=${pathToFileURL(join(import.meta.dirname, 'import-bundled.ts'))}`
}
