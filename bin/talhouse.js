#!/usr/bin/env -S node --max-semi-space-size=16
// Starts the command line: the package's JavaScript (dist) on Node 22.19 or newer, the repository's TypeScript (src)
// on Node 24. An older Node starts the npm package `node` if it is installed. The limit on the young generation is Node
// 22's default: with Node 24's default, a pull uses 85 MB more memory and is not faster.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(import.meta.url)
const inRepository = existsSync(join(dirname(here), '../src/cli/main.ts'))
const oldest = inRepository ? [24, 0] : [22, 19]

if (isRecent(process.versions.node)) {
  module.enableCompileCache()
  globalThis.AsyncDisposableStack ??= (await import('@whatwg-node/disposablestack')).AsyncDisposableStack
  await import(inRepository ? '../src/cli/main.ts' : '../dist/src/cli/main.js')
} else {
  const node = bundledNode()
  if (node === undefined) fail(`this is Node ${process.versions.node}`)
  else runOn(node)
}

function isRecent(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}

function bundledNode() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node')
  } catch {
    return undefined
  }
}

function runOn(node) {
  const child = spawn(node, ['--max-semi-space-size=16', here, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
}

function fail(reason) {
  const install = inRepository ? 'npm ci' : 'npm install node@24'
  process.stderr.write(`talhouse needs Node ${oldest.join('.')} or newer (${reason}). Install it, or run: ${install}\n`)
  process.exitCode = 3
}
