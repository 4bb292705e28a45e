/** Builds the console into `dist/console` unless the build there is newer than its sources: pages, styles and compressed copies. */
import { randomUUID } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'dist/console')
const BUILT = join(FOLDER, 'index.html')

const SOURCES = [
  'console/**/*',
  'src/{client,contract}/*.ts',
  'docs/questions.md',
  'package-lock.json',
  'scripts/build-console.ts',
]

/** Builds the console if a source is newer than the last build. */
export async function buildConsole(): Promise<void> {
  const sources = globSync(SOURCES, { cwd: ROOT })
  const changed = Math.max(...sources.map((file) => statSync(join(ROOT, file)).mtimeMs))
  if (existsSync(BUILT) && statSync(BUILT).mtimeMs > changed) return
  const { build } = await import('vite')
  // Test files that build at the same time do not delete each other's files.
  const unfinished = `${FOLDER}-${randomUUID()}`
  await build({
    configFile: false,
    root: join(ROOT, 'console'),
    base: '/console/',
    logLevel: 'warn',
    build: {
      outDir: unfinished,
      emptyOutDir: true,
      target: 'es2022',
      cssCodeSplit: false,
      // The page may not load data: URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
  for (const file of globSync(join(unfinished, 'assets/*.{js,css,svg}'))) {
    const text = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(text))
    writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
  }
  const replaced = `${unfinished}-replaced`
  mkdirSync(FOLDER, { recursive: true })
  renameSync(FOLDER, replaced)
  renameSync(unfinished, FOLDER)
  rmSync(replaced, { recursive: true })
}

if (import.meta.main) {
  // A production install has no Vite and needs none: the package contains the built console.
  if (existsSync(join(ROOT, 'node_modules/vite'))) await buildConsole()
}
