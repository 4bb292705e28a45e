import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { platform, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts')

/** Command line and environment of a process, as other processes on the host can read them. */
interface Seen {
  pid: string
  arguments: string
  environment: string
}

it.skipIf(platform() !== 'linux')(
  'shows no password in process arguments, environments and output of up, query, psql and migrate',
  async () => {
    await using stack = new AsyncDisposableStack()
    const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-passwords-'))
    stack.defer(() => rm(dataDir, { recursive: true, force: true }))
    const tools = await mkdtemp(join(tmpdir(), 'talhouse-psql-'))
    stack.defer(() => rm(tools, { recursive: true, force: true }))
    await writeFile(join(tools, 'psql'), '#!/bin/bash\nexec -a psql sleep 2\n')
    await chmod(join(tools, 'psql'), 0o755)
    const env = {
      ...process.env,
      PATH: `${tools}${delimiter}${process.env['PATH']}`,
      TALHOUSE_DATA_DIR: dataDir,
      TALHOUSE_HTTP_PORT: '0',
      TALHOUSE_POSTGRES_PORT: '0',
      TALHOUSE_DEMO_COMPANIES: '0',
      TALHOUSE_LOG_LEVEL: 'debug',
    }

    const run = async (words: readonly string[], until?: string) => {
      const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      const ended = once(child, 'close')
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => (output += text))
      const seen: Seen[] = []
      let isAsked = false
      while (child.exitCode === null && child.signalCode === null) {
        seen.push(...(await descendants(String(child.pid))))
        // A second signal would end the process immediately.
        if (!isAsked && until !== undefined && output.includes(until)) isAsked = child.kill('SIGINT')
        await wait(20)
      }
      const [code] = await ended
      return { code, output, seen }
    }

    const runs = {
      migrate: await run(['migrate']),
      up: await run(['up'], 'Press Ctrl-C to stop'),
      query: await run(['query', 'select 1 as one']),
      psql: await run(['psql']),
      'psql --owner': await run(['psql', '--owner']),
    }
    const server = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim()
    const passwordOf = async (...words: string[]) =>
      decodeURIComponent(new URL(JSON.parse((await run(['psql', '--json', ...words])).output).address).password)
    const [analyst, owner] = [await passwordOf(), await passwordOf('--owner')]
    const derived = (role: string) => createHmac('sha256', server).update(role).digest('base64url')
    expect(owner).toBe(derived('talhouse_warehouse_owner'))
    const secrets = [
      server,
      analyst,
      ...['service', 'warehouse'].flatMap((role) => [derived(`talhouse_${role}`), derived(`talhouse_${role}_owner`)]),
    ]
    const holds = (text: string) => secrets.some((secret) => text.includes(secret))

    for (const [name, { code, output, seen }] of Object.entries(runs)) {
      expect(code, name).toBe(0)
      expect(holds(output), `${name}: output`).toBe(false)
      expect(seen.length, `${name}: samples`).toBeGreaterThan(0)
      expect(
        seen.filter((each) => holds(each.arguments)),
        `${name}: arguments`,
      ).toEqual([])
      // psql reads PGPASSWORD from its environment, which is readable only by its user.
      const others = seen.filter((each) => holds(each.environment) && !each.arguments.includes('psql'))
      expect(
        others.map((each) => each.arguments),
        `${name}: environments`,
      ).toEqual([])
    }
    expect(runs.up.seen.some((each) => each.arguments.includes('postgres'))).toBe(true)
    expect(
      runs.psql.seen.some((each) => holds(each.environment)),
      'the control: psql gets the password',
    ).toBe(true)
    for (const file of await readdir(dataDir))
      if (file.endsWith('.log')) expect(holds(await readFile(join(dataDir, file), 'utf8')), file).toBe(false)
  },
  300_000,
)

/** Returns the process and its descendants that are still running. */
async function descendants(pid: string): Promise<Seen[]> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  if (threads.length === 0) return []
  const children = await Promise.all(threads.map((thread) => read(`task/${thread}/children`)))
  const below = await Promise.all((children.join(' ').match(/\d+/g) ?? []).map(descendants))
  return [{ pid, arguments: await read('cmdline'), environment: await read('environ') }, ...below.flat()]
}
