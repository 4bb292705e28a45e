import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { openPostgres } from '../../../src/lib/postgres.ts'
import { eventually } from '../../helpers/eventually.ts'

const SERVER = join(import.meta.dirname, '../../../src/lib/embedded-postgres/server.ts')

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'talhouse-embedded-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

describe('the embedded PostgreSQL', () => {
  it('the embedded PostgreSQL keeps its data across restarts', async () => {
    {
      await using server = await startEmbeddedPostgres({ dataDir, port: 0 })
      await query(server.url('postgres'), 'create table kept as select 42 as answer')
    }
    await using server = await startEmbeddedPostgres({ dataDir, port: 0 })
    expect(await query(server.url('postgres'), 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  it('the embedded PostgreSQL reuses and finally stops the server of a killed process', async () => {
    const victim = spawn(
      process.execPath,
      [
        '-e',
        `const { startEmbeddedPostgres } = await import(${JSON.stringify(SERVER)})
       const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, port: 0 })
       console.log(server.port); setInterval(() => {}, 1000)`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const [port] = await once(victim.stdout, 'data')
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    const url = await (async () => {
      await using server = await startEmbeddedPostgres({ dataDir, port: 0 })
      expect(server.port).toBe(Number(port))
      expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
      return server.url('postgres')
    })()
    await expect(query(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  })

  it('the embedded PostgreSQL restarts on the same port after a kill', async () => {
    await using server = await startEmbeddedPostgres({ dataDir, port: 0 })
    await query(server.url('postgres'), 'create table kept as select 42 as answer')
    const lock = join(dataDir, 'postgres/postmaster.pid')
    process.kill(Number((await readFile(lock, 'utf8')).split('\n')[0]), 'SIGKILL')
    const answer = await eventually('it answers again', () =>
      query(server.url('postgres'), 'select answer from kept').catch(() => undefined),
    )
    expect(answer).toEqual([{ answer: 42 }])
  })

  it('the last process that uses the embedded PostgreSQL stops it', async () => {
    await using server = await startEmbeddedPostgres({ dataDir, port: 0 })
    const neighbour = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await writeFile(join(dataDir, 'postgres.users', String(neighbour.pid)), '')
    await server[Symbol.asyncDispose]()
    expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
    neighbour.kill('SIGKILL')
    await once(neighbour, 'exit')
  })

  it('the embedded PostgreSQL starts where an earlier process died before it had stored the password', async () => {
    await writeFile(join(dataDir, 'postgres.password'), '')
    await using server = await startEmbeddedPostgres({ dataDir, port: 0 })
    expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('creates the embedded PostgreSQL once and shares it when nine processes start concurrently on one folder', async () => {
    const processes = Array.from({ length: 9 }, () =>
      spawn(
        process.execPath,
        [
          '-e',
          `const { startEmbeddedPostgres } = await import(${JSON.stringify(SERVER)})
         const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, port: 0 })
         console.log(server.url('postgres')); process.stdin.resume()
         process.stdin.on('end', () => server[Symbol.asyncDispose]())`,
        ],
        { stdio: ['pipe', 'pipe', 'pipe'] },
      ),
    )
    const started = await Promise.all(
      processes.map(async (child) => {
        const errors = text(child.stderr)
        const [line] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [Buffer | number]
        return typeof line === 'number' ? `exit ${line}: ${await errors}` : String(line).trim()
      }),
    )
    const [url = ''] = started
    expect(started).toEqual(Array.from({ length: 9 }, () => url))
    expect(await query(url, "select datctype from pg_database where datname = 'postgres'")).toEqual([
      { datctype: 'C.UTF-8' },
    ])
    const exits = processes.map((child) => once(child, 'exit'))
    for (const child of processes) child.stdin.end()
    expect((await Promise.all(exits)).map(([code]) => code)).toEqual(Array.from({ length: 9 }, () => 0))
    await expect(query(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  })

  it('the embedded PostgreSQL starts again while it is being stopped', async () => {
    const first = await startEmbeddedPostgres({ dataDir, port: 0 })
    const stopped = first[Symbol.asyncDispose]()
    await using second = await startEmbeddedPostgres({ dataDir, port: 0 })
    expect(await query(second.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
    await stopped
    expect(await query(second.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('the embedded PostgreSQL keeps running after one of two uses by the same process ends', async () => {
    await using first = await startEmbeddedPostgres({ dataDir, port: 0 })
    await (await startEmbeddedPostgres({ dataDir, port: 0 }))[Symbol.asyncDispose]()
    expect(await query(first.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.skipIf(process.getuid?.() !== 0)(
    'the embedded PostgreSQL runs as the owner of its cluster when root starts it',
    async () => {
      await (await startEmbeddedPostgres({ dataDir, port: 0 }))[Symbol.asyncDispose]()
      const owner = 60_123
      for (const path of [dataDir, ...(await readdir(dataDir, { recursive: true })).map((name) => join(dataDir, name))])
        await chown(path, owner, owner)
      await using server = await startEmbeddedPostgres({ dataDir, port: 0 })
      const [pid] = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')
      expect((await stat(`/proc/${pid}`)).uid).toBe(owner)
      expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
    },
  )

  it('the embedded PostgreSQL recovers from an interrupted initdb', async () => {
    await mkdir(join(dataDir, 'postgres.new', 'half'), { recursive: true })
    await using server = await startEmbeddedPostgres({ dataDir, port: 0 })
    expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await readdir(dataDir)).not.toContain('postgres.new')
  })

  it('the embedded PostgreSQL removes a stale lock whose pid was reused', async () => {
    await (await startEmbeddedPostgres({ dataDir, port: 0 }))[Symbol.asyncDispose]()
    await writeFile(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${process.pid}\n${dataDir}/postgres\n1\n5432\n\n127.0.0.1\n1 1\nready   \n`,
    )
    await using server = await startEmbeddedPostgres({ dataDir, port: 0 })
    expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('the embedded PostgreSQL names the setting when its port is in use', async () => {
    await using first = await startEmbeddedPostgres({ dataDir, port: 0 })
    const other = join(dataDir, 'other')
    await expect(startEmbeddedPostgres({ dataDir: other, port: first.port })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('TALHOUSE_POSTGRES_PORT'),
    })
  })

  it('the embedded PostgreSQL names the setting when the data folder is not writable', async () => {
    await writeFile(join(dataDir, 'file'), '')
    await expect(startEmbeddedPostgres({ dataDir: join(dataDir, 'file'), port: 0 })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('TALHOUSE_DATA_DIR'),
    })
  })
})

async function query(url: string, text: string): Promise<unknown[]> {
  await using postgres = openPostgres(url, { log: silentLog, name: 'test', connections: 1 })
  return (await sql.raw(text).execute(postgres.db)).rows
}
