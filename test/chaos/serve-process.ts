import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const COMMAND = join(import.meta.dirname, '../../bin/talhouse.js')

export interface ServeProcess extends AsyncDisposable {
  child: ChildProcess
  url: string
  exited(): boolean
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>
}

/** Starts `talhouse serve` on a database and waits until it listens. Disposal stops the process gracefully. */
export async function startServeProcess(
  databaseUrl: string,
  { port = 0, settings = {} }: { port?: number; settings?: Record<string, string> } = {},
): Promise<ServeProcess> {
  const child = spawn(process.execPath, [COMMAND, 'serve', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      TALHOUSE_SERVICE_DATABASE_URL: databaseUrl,
      TALHOUSE_HTTP_PORT: String(port),
      TALHOUSE_LOG_LEVEL: 'silent',
      ...settings,
    },
  })
  const exit = once(child, 'exit')
  const exited = () => child.exitCode !== null || child.signalCode !== null
  const url = await Promise.race([readUrl(child.stdout as NodeJS.ReadableStream), exit.then(() => undefined)])
  if (url === undefined) throw new Error(`the service ended at once (${child.exitCode ?? child.signalCode})`)
  return {
    child,
    url,
    exited,
    async kill() {
      child.kill('SIGKILL')
      await exit
    },
    async [Symbol.asyncDispose]() {
      if (exited()) return
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await exit
      clearTimeout(late)
    },
  }
}

async function readUrl(output: NodeJS.ReadableStream): Promise<string | undefined> {
  let text = ''
  for await (const chunk of output) {
    text += String(chunk)
    const url = /"url": "([^"]+)"/.exec(text)?.[1]
    if (url) return url
  }
  return undefined
}
