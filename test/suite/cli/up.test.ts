import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { consoleFolder } from '../../../src/cli/support/console/console-folder.ts'
import { freePort } from '../../../src/lib/embedded-postgres/free-port.ts'
import { systemCode } from '../../../src/lib/errors.ts'
import { sendRaw } from '../../helpers/raw-http.ts'

const MAIN = join(import.meta.dirname, '../../../bin/talhouse.js')

type Child = ChildProcessByStdio<null, Readable, null>

it('talhouse up stops cleanly on Ctrl-C, working or idle, and resumes on the next start', async () => {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-up-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const [http, postgres] = [await freePort(), await freePort()]
  const env = {
    ...process.env,
    TALHOUSE_DATA_DIR: dataDir,
    TALHOUSE_HTTP_PORT: String(http),
    TALHOUSE_POSTGRES_PORT: String(postgres),
    TALHOUSE_DEMO_COMPANIES: '3',
    TALHOUSE_LOG_LEVEL: 'error',
    // The period is longer than the test's timeout, so a shutdown that waits for it fails the test.
    TALHOUSE_WORK_GRACE_SECONDS: '600',
  }
  const up = (): Child => {
    // A separate process group, as in a terminal.
    const child = spawn(process.execPath, [MAIN, 'up'], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
    stack.defer(() => void child.kill('SIGKILL'))
    return child
  }
  const expectStopped = async (child: Child) => {
    expect(await pressCtrlC(child)).toBe(0)
    expect(await listens(http)).toBe(false)
    expect(await listens(postgres)).toBe(false)
    await expect(access(join(dataDir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT')
  }

  const first = up()
  await until(first, 'Enriching 3 demo companies')
  expect((await fetch(`http://127.0.0.1:${http}/openapi.json`)).status).toBe(200)
  await expectStopped(first)

  const second = up()
  const printed = await until(second, 'Press Ctrl-C to stop')
  expect(printed.includes('/console/sign-in#')).toBe(consoleFolder() !== undefined)
  const rebound = 'GET /openapi.json HTTP/1.1\r\nHost: attacker.example\r\nConnection: close\r\n\r\n'
  expect(await sendRaw(`http://127.0.0.1:${http}`, rebound)).toMatchObject({ status: 400 })
  expect((await fetch(`http://127.0.0.1:${http}/openapi.json`)).status).toBe(200)
  await expectStopped(second)
}, 300_000)

/** Reads the output until a text appears. */
async function until(child: Child, text: string): Promise<string> {
  let output = ''
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk)
    if (output.includes(text)) return output
  }
  throw new Error(`exited before printing ${text}: ${output}`)
}

/** Signals the whole process group, as a terminal does. Resolves with the exit code. */
async function pressCtrlC(child: Child): Promise<number | null> {
  const ended = once(child, 'exit')
  child.stdout.resume()
  process.kill(-(child.pid as number), 'SIGINT')
  const [code] = await ended
  return code
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    if (systemCode(error) !== 'ECONNREFUSED') throw error
    return false
  } finally {
    socket.destroy()
  }
}
