import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { withDatabase } from '../../src/lib/postgres.ts'
import { testDatabase } from '../helpers/database.ts'
import type { FirmHost } from '../helpers/firm-host.ts'
import { startFirmHost } from '../helpers/firm-host.ts'
import { inventFirms } from '../helpers/invented-firms.ts'

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts')

let host: FirmHost
let dataDir: string
let warehouse: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  host = await startFirmHost(inventFirms(80))
  dataDir = await mkdtemp(join(tmpdir(), 'talhouse-cli-'))
  warehouse = await testDatabase('warehouse')
})
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]()
  await host[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true, force: true })
})

async function talhouse(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: {
      ...process.env,
      TALHOUSE_DATA_DIR: dataDir,
      TALHOUSE_WAREHOUSE_DATABASE_URL: withDatabase(inject('postgresUrl'), new URL(warehouse.url).pathname.slice(1)),
      TALHOUSE_SERVICE_BASE_URL: host.url,
      TALHOUSE_SERVICE_API_KEY: 'key',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const [code] = await once(child, 'close')
  return { code, out, err }
}

describe('the command line of the pipelines', () => {
  it('runs the firms and tells what it did', async () => {
    const { code, out } = await talhouse('run', 'firms')
    expect(out).toMatch(/Run 1, firms: ok in [\d.]+ s\n {2}80 inserted, 0 updated, 0 unchanged, 0 gone, \d+ requests/)
    expect(code).toBe(0)
  })

  it('prints a run as JSON, and lists and shows it', async () => {
    const again = JSON.parse((await talhouse('run', 'firms', '--json')).out)
    expect(again).toMatchObject({ id: 2, outcome: 'ok', unchanged: 80 })
    expect((await talhouse('runs', 'list')).out).toMatch(/2 +firms +ok[\s\S]+1 +firms +ok/)
    expect((await talhouse('runs', 'show', '2')).out).toContain('asked for by command')
  })

  it('says how far the warehouse can be trusted, and what is due', async () => {
    const status = JSON.parse((await talhouse('status', '--json')).out)
    expect(status).toMatchObject({
      pipelines: [{ pipeline: 'firms', outcome: 'ok', run: 2 }],
      next_due: expect.stringMatching(/T02:00:00/),
    })
  })

  it('answers SQL as an analyst, and refuses to write', async () => {
    const { out } = await talhouse('query', 'select count(*) as firms from warehouse.firm', '--format', 'csv')
    expect(out).toBe('firms\n80\n')
    const refused = await talhouse('query', 'delete from warehouse.firm')
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('read-only') })
    const hidden = await talhouse('query', 'select * from sync.run')
    expect(hidden).toMatchObject({ code: 2, err: expect.stringContaining('permission denied') })
  })

  it('ends with 4 when the outcome is degraded, and with the reason when it failed', async () => {
    host.firms = host.firms.slice(40)
    expect(await talhouse('run', 'firms')).toMatchObject({
      code: 4,
      out: expect.stringContaining('MAX_GONE_SHARE=0.5'),
    })
    host.fault = () => ({ kind: 'status', status: 404 })
    expect(await talhouse('run', 'firms')).toMatchObject({ code: 5, err: expect.stringContaining('answered 404') })
  })
})
