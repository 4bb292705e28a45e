/**
 * Copies the version in package.json to the other files that contain it. `npm run release` runs this script after
 * `changeset version`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Pattern of the version in each file. The first group is the text before the version. */
export const PLACES: Readonly<Record<string, RegExp>> = {
  'config/talhouse.yaml': /(user_agent: talhouse\/)\d+\.\d+\.\d+/g,
  Dockerfile: /(ARG VERSION=)\d+\.\d+\.\d+/g,
  'compose.yaml': /(image: talhouse:)\d+\.\d+\.\d+/g,
  'deploy/kubernetes/talhouse.yaml': /(image: talhouse:)\d+\.\d+\.\d+/g,
}

const ROOT = join(import.meta.dirname, '..')

if (import.meta.main) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  for (const [file, place] of Object.entries(PLACES)) {
    const path = join(ROOT, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(place, `$1${version}`))
  }
}
