import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { describeUp } from '../../../src/cli/support/up-text.ts'
import { testDatabase } from '../../helpers/database.ts'

it('describes an installation whose snapshot destination cannot be read', async () => {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-up-text-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'file'), '')
  const warehouse = stack.use(await testDatabase<WarehouseTables>('warehouse'))
  const config = {
    snapshot: { url: pathToFileURL(join(folder, 'file', 'snapshots')).href },
    s3: {},
    schedule: { cron: '0 2 * * *', time_zone: 'UTC', pipelines: [] },
  }
  const text = await describeUp({
    command: { config } as never,
    url: 'http://127.0.0.1:1',
    apiKey: undefined,
    consoleLink: undefined,
    lastRunId: 0,
    warehouse: warehouse.db,
  })
  expect(text).toMatch(/Snapshots:\n {2}cannot be read from file:.*ENOTDIR/)
  expect(text).toContain('Press Ctrl-C to stop')
})
