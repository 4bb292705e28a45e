import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ServiceTables } from '../../../src/db/database.ts'
import { importFirmFile } from '../../../src/form-adv/import-file.ts'
import { importSampleIfEmpty } from '../../../src/form-adv/import-sample.ts'
import { writeSampleRoster } from '../../../src/form-adv/sample-roster.ts'
import { testDatabase } from '../../helpers/database.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talhouse-sample-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const options = { maxBytes: 2 ** 30, maxGoneShare: 0.1 }

it('imports the complete sample roster into an empty database, once', async () => {
  await using service = await testDatabase<ServiceTables>('service')
  const report = await importSampleIfEmpty(service, folder, { ...options, firms: 1_000 })
  expect(report).toMatchObject({
    rows: 1_000,
    new: 1_000,
    quarantined: 0,
    layout: expect.stringContaining('448 columns'),
  })
  expect(await importSampleIfEmpty(service, folder, options)).toBeUndefined()
  const firms = await service.db.selectFrom('firm').selectAll().execute()
  expect(new Set(firms.map(({ website_domain }) => website_domain).filter(Boolean)).size).toBeGreaterThan(600)
  expect(firms.every(({ website_domain }) => website_domain === null || website_domain.endsWith('.example'))).toBe(true)
  expect(firms.every((firm) => firm.aum_total_usd !== null && firm.employee_count !== null)).toBe(true)
  expect(firms.some(({ website, social_url }) => website === null && social_url !== null)).toBe(true)
})

it('generates the same sample roster for the same seed, and a different one for another seed', async () => {
  const write = async (name: string, seed: number) => {
    await writeSampleRoster(join(folder, name), { firms: 50, seed })
    return await readFile(join(folder, name), 'latin1')
  }
  const one = await write('one', 1)
  expect(await write('again', 1)).toBe(one)
  expect(await write('other', 2)).not.toBe(one)
})

it('removes the sample roster completely with the first real roster, even an older one', async () => {
  await using service = await testDatabase<ServiceTables>('service')
  await importSampleIfEmpty(service, folder, { ...options, firms: 100 })
  const path = join(folder, 'ia100322.csv')
  await writeSampleRoster(path, { firms: 30, seed: 7 })
  const report = await importFirmFile(service, path, { ...options, asOf: '2022-10-01' })
  expect(report).toMatchObject({ new: 30, gone: 0, gone_unconfirmed: 0, as_of: '2022-10-01' })
  const imports = await service.db.selectFrom('firm_import').select('file').execute()
  expect(imports).toEqual([{ file: 'ia100322.csv' }])
  expect(await service.db.selectFrom('firm').select('crd_number').execute()).toHaveLength(30)
  expect(await service.db.selectFrom('firm_dataset').select(['firms', 'as_of']).executeTakeFirst()).toEqual({
    firms: 30,
    as_of: '2022-10-01',
  })
})
