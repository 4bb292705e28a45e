import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface BundledPackage {
  name: string
  version: string
}

/** File in which Vite lists a bundle's packages and their license texts. */
export const LICENSES = 'licenses.json'

/**
 * Returns the packages that the bundles in these folders contain. A package in two bundles is listed twice. Excludes
 * talhouse, to which the entry points of the dependencies belong.
 */
export const bundledIn = (folders: readonly string[]): BundledPackage[] =>
  folders
    .flatMap((folder) => JSON.parse(readFileSync(join(folder, LICENSES), 'utf8')) as BundledPackage[])
    .filter(({ name }) => name !== 'talhouse')
