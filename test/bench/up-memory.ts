/**
 * `npm run bench -- up-memory`: memory of the built package's `talhouse up` with its demo companies, readers and embedded
 * PostgreSQL: after the first nightly run, and at rest after a restart. Prints the proportional set size (PSS) of all
 * processes, in megabytes: a page shared by several processes counts in equal parts. Fails if a limit is exceeded. About
 * 3 minutes. Works only on Linux.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildPackage } from './built-package.ts'

/** Maximum megabytes of all processes. */
const LIMITS = { 'after the first night': 400, 'at rest': 200 }
/** Time after which memory is measured, in seconds: idle readers are stopped and unused heap is released. */
const SETTLED = 20

const folder = await mkdtemp(join(tmpdir(), 'talhouse-bench-'))
const dataDir = join(folder, 'data')
const env = {
  ...process.env,
  TALHOUSE_DATA_DIR: dataDir,
  TALHOUSE_HTTP_PORT: '0',
  TALHOUSE_POSTGRES_PORT: '0',
  TALHOUSE_LOG_LEVEL: 'error',
}
try {
  const main = await buildPackage(folder)
  for (const [state, limit] of Object.entries(LIMITS)) {
    const up = spawn(process.execPath, ['--max-semi-space-size=16', main, 'up'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    for await (const chunk of up.stdout.iterator({ destroyOnReturn: false })) {
      text += String(chunk)
      if (text.includes('Press Ctrl-C to stop')) break
    }
    up.stdout.resume()
    for (const seconds of [0, SETTLED]) {
      await wait(seconds * 1000)
      const memory = await memoryOf(up.pid as number)
      const total = Object.values(memory).reduce((sum, megabytes) => sum + megabytes, 0)
      console.log(`${state}, after ${seconds} s: ${Math.round(total)} MB`, memory)
      if (seconds > 0 && total > limit) process.exitCode = 1
    }
    up.kill('SIGTERM')
    await once(up, 'exit')
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Returns the PSS of `up`, its readers and its PostgreSQL, in megabytes. */
async function memoryOf(up: number): Promise<Record<'up' | 'readers' | 'postgres', number>> {
  const parents = await parentsOfAll()
  const below = (pid: number): number[] =>
    [...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)])
  const postmaster = Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  const server = [postmaster, ...below(postmaster)]
  const readers = below(up).filter((pid) => !server.includes(pid))
  return { up: await pss([up]), readers: await pss(readers), postgres: await pss(server) }
}

async function parentsOfAll(): Promise<Map<number, number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parent = async (pid: number): Promise<[number, number]> => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    return [pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]
  }
  return new Map(await Promise.all(pids.map(parent)))
}

async function pss(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
      return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
    }),
  )
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024)
}
