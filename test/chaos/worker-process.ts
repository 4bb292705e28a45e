import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const PROCESS = join(import.meta.dirname, 'processes/worker.ts')

export interface WorkerProcess extends AsyncDisposable {
  child: ChildProcess
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>
  exited(): boolean
}

/** Starts a worker process and waits until it is ready. Disposal stops the process gracefully. */
export async function startWorkerProcess(
  url: string,
  answersUrl: string,
  { concurrency = 5 }: { concurrency?: number } = {},
): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [PROCESS, url, answersUrl, String(concurrency)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  const exited = () => child.exitCode !== null || child.signalCode !== null
  await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), exit])
  if (exited()) throw new Error(`the worker process ended at once (${child.exitCode ?? child.signalCode})`)
  return {
    child,
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
