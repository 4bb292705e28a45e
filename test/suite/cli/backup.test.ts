import { once } from 'node:events'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sink } from '../../../pipelines/sinks/sink.ts'
import { createBackup } from '../../../src/cli/support/backup/create-backup.ts'
import { startEmbeddedPostgres } from '../../../src/lib/embedded-postgres/server.ts'
import { withClient } from '../../../src/lib/postgres.ts'
import { runTalhouse } from '../../helpers/command-line.ts'

let folder: string
let dataDir: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talhouse-backup-'))
  dataDir = join(folder, 'data')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const talhouse = (...args: string[]) =>
  runTalhouse(args, {
    ...process.env,
    TALHOUSE_DATA_DIR: dataDir,
    TALHOUSE_POSTGRES_PORT: '0',
    TALHOUSE_BACKUP_URL: `file://${folder}/backups`,
    TALHOUSE_BACKUP_KEEP: '2',
  })

/** Commits increasing numbers until stopped, and returns the last committed number. */
function writeSteadily(url: string) {
  let stopped = false
  let committed = 0
  const done = withClient(url, async (client) => {
    while (!stopped) {
      await client.query('insert into counted (n) select generate_series($1::integer, $1::integer + 9)', [
        committed + 1,
      ])
      committed += 10
    }
  })
  return {
    committed: () => committed,
    stop: async () => {
      stopped = true
      await done
    },
  }
}

describe('backup and restore', () => {
  it('restores every row committed before a backup under load, and no partial transactions', async () => {
    let before = 0
    let id = ''
    {
      await using server = await startEmbeddedPostgres({ dataDir, port: 0 })
      const url = server.url('postgres')
      await withClient(url, (client) => client.query('create table counted (n integer primary key)'))
      const writer = writeSteadily(url)
      while (writer.committed() < 500) await new Promise((done) => setTimeout(done, 10))
      before = writer.committed()
      const { code, out, err } = await talhouse('backup', 'create', '--json')
      await writer.stop()
      expect({ code, err }).toEqual({ code: 0, err: '' })
      id = (JSON.parse(out) as { id: string }).id
    }
    const password = await readFile(join(dataDir, 'postgres.password'), 'utf8')
    expect((await talhouse('backup', 'verify', id)).out).toMatch(/^Backup \S+ is intact: \d+ files\.\n$/)

    const refused = await talhouse('backup', 'restore', id)
    expect(refused.err).toContain(`${join(dataDir, 'postgres')} exists. Move it away`)
    expect(refused.code).toBe(1)

    await rename(dataDir, join(folder, 'destroyed'))
    const restored = await talhouse('backup', 'restore', id)
    expect(restored).toMatchObject({ code: 0, err: '' })
    expect(await readFile(join(dataDir, 'postgres.password'), 'utf8')).toBe(password)

    await using server = await startEmbeddedPostgres({ dataDir, port: 0 })
    const client = new pg.Client({ connectionString: server.url('postgres') })
    await client.connect()
    const { rows } = await client.query('select count(*)::integer as rows, max(n) as last from counted')
    await client.end()
    expect(rows[0].rows).toBe(rows[0].last) // transactions are complete and in order
    expect(rows[0].rows).toBeGreaterThanOrEqual(before)
  })

  it('reports damaged and unfinished backups, and keeps the newest backup', async () => {
    const create = async () => (JSON.parse((await talhouse('backup', 'create', '--json')).out) as { id: string }).id
    const ids = [await create(), await create(), await create()]
    const listed = JSON.parse((await talhouse('backup', 'list', '--json')).out) as { id: string }[]
    expect(listed.map(({ id }) => id)).toEqual([ids[2], ids[1]])
    const archive = join(folder, 'backups', ids[2] as string, 'base.tar.zst')
    const bytes = await readFile(archive)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1
    await writeFile(archive, bytes)
    const damaged = await talhouse('backup', 'verify')
    expect(damaged.err).toContain(`Backup ${ids[2]} is damaged`)
    expect(damaged.code).toBe(4)
    await rm(join(folder, 'backups', ids[1] as string, 'manifest.json'))
    const unfinished = await talhouse('backup', 'verify', ids[1] as string)
    expect(unfinished.err).toContain(`Backup ${ids[1]} is missing or incomplete`)
    expect(unfinished.code).toBe(5)
  })

  it('fails a backup with the reason when the destination is full', async () => {
    await using server = await startEmbeddedPostgres({ dataDir, port: 0 })
    const full = new Error('no space left on device')
    const sink = {
      write: async (_key: string, content: Readable) => {
        await once(content, 'readable')
        content.destroy(full)
        throw full
      },
    }
    await expect(createBackup(server, dataDir, sink as unknown as Sink)).rejects.toThrow('no space left on device')
  })
})
