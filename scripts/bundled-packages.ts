import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface BundledPackage {
  name: string
  version: string
}

/** File in which Vite lists the packages that a bundle contains, with the texts of their licenses. */
export const LICENSES = 'licenses.json'

/** The packages in the bundles in these folders. A package in two bundles is listed twice. */
export const bundledIn = (folders: readonly string[]): BundledPackage[] =>
  folders.flatMap((folder) => JSON.parse(readFileSync(join(folder, LICENSES), 'utf8')) as BundledPackage[])
