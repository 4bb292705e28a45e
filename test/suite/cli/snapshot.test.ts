import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openCommandLine } from '../../helpers/command-line.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talhouse-snapshot-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = (settings: Record<string, string> = {}) =>
  openCommandLine({ url: 'http://127.0.0.1:1' }, { TALHOUSE_SNAPSHOT_URL: pathToFileURL(folder).href, ...settings })

it('snapshot verify exits with 4 for a flipped bit or a damaged manifest', async () => {
  await using talhouse = await open()
  expect((await talhouse.run('snapshot', 'create')).code).toBe(0)
  expect((await talhouse.run('snapshot', 'verify')).code).toBe(0)
  const files = (await readdir(folder, { recursive: true })).map(String)
  const part = join(folder, files.find((file) => /^firm\/.*part-00000/.test(file)) ?? '')
  const bytes = await readFile(part)
  const middle = bytes.length >> 1
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  await writeFile(part, bytes)
  const flipped = await talhouse.run('snapshot', 'verify')
  expect([flipped.code, flipped.out]).toEqual([4, expect.stringMatching(/is damaged in 1 of \d+ tables/)])
  await writeFile(join(folder, files.find((file) => file.endsWith('manifest.json')) ?? ''), '{')
  const damaged = await talhouse.run('snapshot', 'verify')
  expect([damaged.code, damaged.err]).toEqual([4, expect.stringMatching(/manifest\.json is damaged/)])
})

it('snapshot create exits with 3 for a view that does not exist', async () => {
  await using talhouse = await open({ TALHOUSE_SNAPSHOT_VIEWS: 'firm_verison' })
  const created = await talhouse.run('snapshot', 'create')
  expect([created.code, created.err]).toEqual([
    3,
    expect.stringMatching(/contains unknown views: firm_verison\. .* firm_version/),
  ])
})
