/**
 * Builds `dist`, the contents of the package: JavaScript without comments, declarations, data files, an SBOM, the
 * console, and the guide.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildConsole } from './build-console.ts'
import { buildGuide } from './build-guide.ts'
import { bundleDependencies, importBundled } from './bundle-dependencies.ts'
import { bundleMcpSdk } from './bundle-mcp-sdk.ts'
import { bundledIn } from './bundled-packages.ts'
import { createSbom } from './sbom.ts'

process.chdir(join(import.meta.dirname, '..'))
rmSync('dist', { recursive: true, force: true })
const compile = (...options: string[]) =>
  execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', ...options], { stdio: 'inherit' })
compile()
// Only the client is a public library, so only its declarations are published, with their comments.
compile('--declaration', '--emitDeclarationOnly', '--removeComments', 'false')
for (const file of globSync('dist/**/*.d.ts', { exclude: ['dist/src/{client,contract,lib}/**'] })) rmSync(file)
const data = globSync('{src,pipelines}/**/*', { exclude: ['**/*.ts'], withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
for (const file of [...data, 'sql', 'config']) cpSync(file, join('dist', file), { recursive: true })
const dependencies = await bundleDependencies(resolve('dist/bundled'))
importBundled(resolve('dist'), dependencies)
const bundles = [dependencies, await bundleMcpSdk(resolve('dist/src/mcp')), await buildConsole(), await buildGuide()]
writeFileSync('dist/sbom.cdx.json', JSON.stringify(createSbom(bundledIn(bundles))))
