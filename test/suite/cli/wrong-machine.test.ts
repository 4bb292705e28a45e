import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runTalhouse } from '../../helpers/command-line.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talhouse-wrong-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const talhouse = (settings: Record<string, string>, ...args: string[]) =>
  runTalhouse(args, {
    ...process.env,
    TALHOUSE_DATA_DIR: join(folder, 'data'),
    TALHOUSE_POSTGRES_PORT: '0',
    ...settings,
  })

describe('configuration and environment errors', () => {
  it('reports a data folder that is not writable', async () => {
    await writeFile(join(folder, 'file'), '')
    const { code, err } = await talhouse({ TALHOUSE_DATA_DIR: join(folder, 'file', 'data') }, 'migrate')
    expect(err).toMatch(/^talhouse: Cannot write to the data folder .* Set TALHOUSE_DATA_DIR to a writable folder\.\n$/)
    expect(code).toBe(3)
  })

  it.each([
    ['status'],
    ['clients', 'list'],
    ['backup', 'create'],
  ])('reports a folder without a database, and creates none: %s', async (...words) => {
    const data = join(folder, 'elsewhere')
    const { code, err } = await talhouse({ TALHOUSE_DATA_DIR: data }, ...words)
    expect(err).toContain(
      `talhouse: There is no database in ${data}. Change to the folder in which \`talhouse up\` runs`,
    )
    expect(code).toBe(3)
    expect(existsSync(data)).toBe(false)
  })

  it('reports a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = String((other.address() as AddressInfo).port)
    const { code, err } = await talhouse({ TALHOUSE_HTTP_PORT: port }, 'serve')
    other.close()
    expect(err).toContain(`Cannot listen on 127.0.0.1:${port}: the port is in use. Set TALHOUSE_HTTP_PORT`)
    expect(code).toBe(3)
  })

  it('reports an invalid value of a setting and an unknown setting', async () => {
    const { code, err } = await talhouse({ TALHOUSE_HTTP_PORT: 'ten', TALHOUSE_HTPP_HOST: 'x' }, 'status')
    expect(err).toContain('http.port (TALHOUSE_HTTP_PORT) is "ten" but must be integer')
    expect(err).toContain('TALHOUSE_HTPP_HOST is not a setting')
    expect(code).toBe(3)
  })

  it('reports an unreachable database', async () => {
    const { code, err } = await talhouse(
      { TALHOUSE_WAREHOUSE_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
      'status',
    )
    expect(err).toContain('Check TALHOUSE_WAREHOUSE_DATABASE_URL and that the server is running.')
    expect(code).toBe(1)
  })
})
