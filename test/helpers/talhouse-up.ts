import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/lib/embedded-postgres/free-port.ts'
import { eventually } from './eventually.ts'

export interface TalhouseUp extends AsyncDisposable {
  url: string
  /** The output until the end of the first nightly run, including the API key. */
  printed: string
}

/** `talhouse up` with three demo companies in an empty data folder, after its first nightly run. Disposal stops it. */
export async function startTalhouseUp(settings: Record<string, string>): Promise<TalhouseUp> {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-up-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  const env = {
    ...process.env,
    TALHOUSE_DATA_DIR: dataDir,
    TALHOUSE_HTTP_PORT: String(port),
    TALHOUSE_POSTGRES_PORT: String(await freePort()),
    TALHOUSE_DEMO_COMPANIES: '3',
    TALHOUSE_LOG_LEVEL: 'error',
    ...settings,
  }
  const main = join(import.meta.dirname, '../../bin/talhouse.js')
  const child = spawn(process.execPath, [main, 'up'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  stack.defer(async () => {
    child.kill('SIGTERM')
    await exited
  })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += String(chunk)
  })
  await eventually('the first night ends', async () => printed.includes('Press Ctrl-C to stop'), 240)
  const rest = stack.move()
  return { url: `http://127.0.0.1:${port}`, printed, [Symbol.asyncDispose]: () => rest.disposeAsync() }
}
