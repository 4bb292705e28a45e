import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface DemoProcess extends AsyncDisposable {
  connectTo: string[]
  authorityFile: string
  domains: string[]
}

/** Starts `talhouse demo` in a separate process to exclude it from memory and CPU measurements. */
export async function startDemoProcess(companies: number): Promise<DemoProcess> {
  const main = join(import.meta.dirname, '../../src/cli/main.ts')
  const child = spawn(process.execPath, [main, 'demo', '--companies', String(companies), '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  let text = ''
  for await (const chunk of child.stdout) {
    text += String(chunk)
    if (text.endsWith('\n}\n')) break
  }
  const said = JSON.parse(text) as {
    connect_to: string[]
    extra_ca_files: [string]
    companies: { domain: string }[]
  }
  return {
    connectTo: said.connect_to,
    authorityFile: said.extra_ca_files[0],
    domains: said.companies.map(({ domain }) => domain),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exit
    },
  }
}
