/** Makes a process import bundled dependencies, as the package's JavaScript does. Tests load it with `--import`. */
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/build-folder.ts'
import { BUNDLE } from './bundled-dependencies.ts'

const OWN = ['src', 'pipelines'].map((folder) => `${pathToFileURL(join(ROOT, folder))}/`)

registerHooks({
  resolve(name, context, next) {
    const file = join(ROOT, BUNDLE, `${name}.js`)
    const isOwn = OWN.some((folder) => context.parentURL?.startsWith(folder))
    if (isOwn && /^[@\w]/.test(name) && existsSync(file))
      return { url: String(pathToFileURL(file)), shortCircuit: true }
    return next(name, context)
  },
})
