import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts')

it.each([
  ['a short command', ['--help']],
  ['a command that runs until stopped', ['demo', '--companies', '200', '--port', '0']],
])(
  '%s ends without an error message when its output is closed',
  async (_, words) => {
    const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect({ code, err }).toEqual({ code: 0, err: '' })
  },
  30_000,
)
