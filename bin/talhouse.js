#!/usr/bin/env -S node --max-semi-space-size=16
// Runs talhouse on the project's own Node. The system's may be too old to run TypeScript directly; `npm` scripts
// and `npx` already find the right one, a plain `./bin/talhouse.js` may not.
// The young heap is held to 16 MB a half, as it was before Node 24: with more, a pull takes 85 MB more memory and no less time.
import { spawn } from 'node:child_process'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const OLDEST_NODE = 24

if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) {
  // TypeScript is stripped once, not at each start.
  module.enableCompileCache()
  await import('../src/cli/main.ts')
} else {
  const node = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node')
  const child = spawn(
    node,
    ['--max-semi-space-size=16', import.meta.filename ?? new URL(import.meta.url).pathname, ...process.argv.slice(2)],
    {
      stdio: 'inherit',
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`talhouse needs Node ${OLDEST_NODE} or newer (${error.message}). Run npm ci first.\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
}
