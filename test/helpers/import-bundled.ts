/** Makes a process import bundled dependencies, as the package's JavaScript does. Tests load it with `--import`. */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/build-folder.ts'
import { BUNDLED } from '../../scripts/bundle-dependencies.ts'
import { BUNDLE } from './bundled-dependencies.ts'

const OWN = `${pathToFileURL(ROOT)}/`
const BUNDLE_URL = pathToFileURL(join(ROOT, BUNDLE))

registerHooks({
  resolve(name, context, next) {
    const isOwn = context.parentURL?.startsWith(OWN) && !context.parentURL.includes('/node_modules/')
    if (isOwn && BUNDLED.includes(name)) return { url: `${BUNDLE_URL}/${name}.js`, shortCircuit: true }
    return next(name, context)
  },
})
