/** Builds the console (pages, styles and compressed copies) into `dist/console`, unless that build is up to date. */
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { buildFolder, compress, ROOT } from './build-folder.ts'
import { LICENSES } from './bundled-packages.ts'

const SOURCES = [
  'console/**/*',
  'src/{client,contract}/*.ts',
  'docs/questions.md',
  'package-lock.json',
  'scripts/build-{console,folder}.ts',
]

/** Builds the console if a source is newer than the last build, and returns its folder. */
export const buildConsole = (): Promise<string> => buildFolder('dist/console', SOURCES, writeConsole)

async function writeConsole(folder: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: join(ROOT, 'console'),
    base: '/console/',
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      cssCodeSplit: false,
      // The content security policy blocks `data:` URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      license: { fileName: LICENSES },
    },
  })
  compress(globSync(join(folder, 'assets/*.{js,css,svg}')))
}

if (import.meta.main) {
  // A production install does not need Vite, because the package contains the built console.
  if (existsSync(join(ROOT, 'node_modules/vite'))) await buildConsole()
}
