import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../../src/client')
const FILES = globSync('**/*.ts', { cwd: FOLDER })

/** Returns the modules that a file imports at run time. */
function importsOf(file: string): string[] {
  const source = stripTypeScriptTypes(readFileSync(join(FOLDER, file), 'utf8'))
  return [...source.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])(.+?)\1/g)].map(([, , name = '']) => name)
}

it('the client imports only its own files at run time, so that it runs in browsers and on Deno', () => {
  expect(FILES.length).toBeGreaterThan(10)
  const foreign = FILES.flatMap((file) =>
    importsOf(file)
      .filter((name) => !FILES.includes(name.replace(/^\.\//, '')))
      .map((name) => `${file}: ${name}`),
  )
  expect(foreign).toEqual([])
  expect(importsOf('index.ts')).toContain('./client.ts')
})

it('the client uses no global that only Node has', () => {
  const node = /\b(process|Buffer|require|__dirname|setImmediate|global)\b\s*[.(]/
  expect(FILES.filter((file) => node.test(stripTypeScriptTypes(readFileSync(join(FOLDER, file), 'utf8'))))).toEqual([])
})
