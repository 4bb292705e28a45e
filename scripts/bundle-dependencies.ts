import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'vite'
import { ROOT } from './build-folder.ts'
import { LICENSES } from './bundled-packages.ts'

/** Folder of the modules that export what the program imports from each dependency. */
const ENTRIES = 'node_modules/.cache/bundle-entries'

/** The files from which a bundle is built. */
export const BUNDLE_SOURCES = ['package-lock.json', 'scripts/bundle-dependencies.ts', `${ENTRIES}/*`]

/**
 * Imports that are not bundled (decision 52): Node's modules, the SDK that `bundle-mcp-sdk.ts` bundles, packages that
 * the user may install, the API that they share with the program, and a JSON file.
 */
const NOT_BUNDLED = /^(node:|\.|@modelcontextprotocol\/|@opentelemetry\/|playwright-core$|.*\.json$)/

/** The folder of swagger-ui's static files, which its plugin finds relative to its own files. */
const SWAGGER_UI = 'node_modules/@fastify/swagger-ui'

/**
 * Bundles the dependencies that the program imports into `folder`, with their licenses, and returns `folder`. The
 * bundles contain only what the program uses. Names are kept, so that stack traces show the functions of packages.
 */
export async function bundleDependencies(folder: string): Promise<string> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    define: { __dirname: 'import.meta.dirname' },
    plugins: [findStaticFiles],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node22',
      license: { fileName: LICENSES },
      rolldownOptions: {
        input: await writeEntries(),
        external: ['@opentelemetry/api', 'pg-native'],
        // cheerio imports another version of undici for a function that the program does not use.
        treeshake: { moduleSideEffects: [{ test: /\/node_modules\/undici\//, sideEffects: false }] },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'shared/[name].js',
          comments: false,
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
          // V8 keeps the source text, and two bytes for each character if one of them is not in Latin-1.
          charset: 'ascii',
        },
      },
    },
  })
  const isUsed = (file: string) => !file.endsWith('swagger-ui.js') // the page loads swagger-ui-bundle.js
  cpSync(join(ROOT, SWAGGER_UI, 'static'), join(folder, '@fastify/static'), { recursive: true, filter: isUsed })
  return folder
}

const findStaticFiles: Plugin = {
  name: 'find-static-files',
  transform: (code, id) =>
    id.includes(SWAGGER_UI) ? code.replace("__dirname, '..', 'static'", "__dirname, 'static'") : undefined,
}

/**
 * Writes a module for each bundled dependency, which exports what the program imports from it. Returns the modules by
 * the names of the dependencies. Leaves unchanged modules untouched.
 */
export async function writeEntries(): Promise<Record<string, string>> {
  const folder = join(ROOT, ENTRIES)
  mkdirSync(folder, { recursive: true })
  const obsolete = new Set(globSync(join(folder, '*')))
  const entries: Record<string, string> = {}
  for (const [dependency, names] of await readImports()) {
    const file = join(folder, `${dependency.replaceAll('/', '__')}.mjs`)
    const [all, named] = [names.has('*'), [...names].filter((name) => name !== '*').toSorted()]
    const code = [
      ...(all ? [`export * from '${dependency}'`] : []),
      ...(named.length > 0 ? [`export { ${named.join(', ')} } from '${dependency}'`] : []),
      ...(names.size === 0 ? [`import '${dependency}'`] : []),
    ].join('\n')
    if (!existsSync(file) || readFileSync(file, 'utf8') !== code) writeFileSync(file, code)
    obsolete.delete(file)
    entries[dependency] = file
  }
  for (const file of obsolete) rmSync(file)
  return entries
}

/** The names that the program imports from each dependency; `*` stands for all names. */
async function readImports(): Promise<Map<string, Set<string>>> {
  const { parseSync } = await import('vite')
  const imports = new Map<string, Set<string>>()
  const namesOf = (dependency: string): Set<string> => {
    const names = imports.get(dependency) ?? new Set()
    if (!NOT_BUNDLED.test(dependency)) imports.set(dependency, names)
    return names
  }
  for (const file of globSync(join(ROOT, '{src,pipelines}/**/*.ts'))) {
    const code = readFileSync(file, 'utf8')
    const { staticImports, dynamicImports } = parseSync(file, code).module
    for (const { moduleRequest, entries } of staticImports) {
      const values = entries.filter(({ isType }) => !isType)
      if (entries.length > 0 && values.length === 0) continue
      const names = namesOf(moduleRequest.value)
      for (const { importName } of values) names.add(NAMES[importName.kind] ?? String(importName.name))
    }
    for (const { moduleRequest } of dynamicImports) {
      const dependency = /^'([^']+)'$/.exec(code.slice(moduleRequest.start, moduleRequest.end))?.[1]
      if (dependency) namesOf(dependency).add('*')
    }
  }
  return imports
}

const NAMES: Partial<Record<string, string>> = { Default: 'default', NamespaceObject: '*' }

/** Rewrites the imports in the JavaScript files in `dist` to use the bundled dependencies in `folder`. */
export function importBundled(dist: string, folder: string): void {
  for (const file of globSync(join(dist, '{src,pipelines}/**/*.js'))) {
    const code = readFileSync(file, 'utf8')
    const changed = code.replaceAll(/(\bfrom |\bimport |\bimport\()'([^'.][^']*)'/g, (whole, before, name) =>
      existsSync(join(folder, `${name}.js`)) ? `${before}'${relative(dirname(file), join(folder, name))}.js'` : whole,
    )
    if (changed !== code) writeFileSync(file, changed)
  }
}
