import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Server extends AsyncDisposable {
  url: string
  pid: number
}

/** Starts a program that prints its `url` as JSON. Disposing of the result ends the process. */
export async function startServer(args: string[], env: Record<string, string> = {}): Promise<Server> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8')
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    const url = /"url":\s*"([^"]+)"/.exec(text)?.[1]
    if (!url) continue
    child.stdout.resume()
    const end = async () => {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    return { url, pid: child.pid as number, [Symbol.asyncDispose]: end }
  }
  throw new Error('the server ended before it listened')
}

/** Starts `talhouse serve` on a free port, with an existing service database. */
export const startTalhouse = (databaseUrl: string): Promise<Server> =>
  startServer([join(import.meta.dirname, '../../src/cli/main.ts'), 'serve', '--json'], {
    TALHOUSE_SERVICE_DATABASE_URL: databaseUrl,
    TALHOUSE_HTTP_PORT: '0',
    TALHOUSE_LOG_LEVEL: 'error',
  })
