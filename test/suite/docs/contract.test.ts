import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import type { ContractChanges, WarehouseContract } from '../../../scripts/warehouse-contract.ts'
import { compareContracts, nextVersion, readContract } from '../../../scripts/warehouse-contract.ts'
import { testDatabase } from '../../helpers/database.ts'

const FILE = join(import.meta.dirname, '../../../docs/generated/warehouse.odcs.yaml')

describe('docs/generated/warehouse.odcs.yaml', () => {
  it('docs/generated/warehouse.odcs.yaml is the contract of the warehouse, with a new major version for each breaking change', async () => {
    await using warehouse = await testDatabase<never>('warehouse')
    const written = parse(await readFile(FILE, 'utf8')) as WarehouseContract
    const now = await readContract(warehouse.db, written.version)
    const changes = compareContracts(written, now)
    if (process.env['TALHOUSE_TEST_WRITE_DOCS']) {
      const isAccepted = changes.breaking.length === 0 || process.env['TALHOUSE_CONTRACT_BREAKING'] === '1'
      if (!isAccepted)
        expect.fail(`The changes break the contract. Avoid them, or accept them with
\`npm run generate -- contract-major\`, which writes a new major version:\n${changes.breaking.join('\n')}`)
      await writeFile(FILE, stringify({ ...now, version: nextVersion(written.version, changes) }, { lineWidth: 120 }))
      return
    }
    expect(changes.breaking, 'breaking changes need `npm run generate -- contract-major`').toEqual([])
    expect(changes.compatible, 'update the contract with `npm run generate -- contract`').toEqual([])
    expect(now).toEqual(written)
  })
})

describe('a change of the warehouse', () => {
  it.each<[string, keyof ContractChanges, string]>([
    ['alter table warehouse.tal_member add column region text', 'compatible', 'warehouse.tal_member.region was added'],
    ['create table warehouse.more (id integer)', 'compatible', 'warehouse.more was added'],
    [
      'alter table warehouse.enrichment_sample alter column small type bigint',
      'compatible',
      'warehouse.enrichment_sample.small was smallint and is bigint',
    ],
    [
      'alter table warehouse.enrichment_sample alter column large type integer',
      'breaking',
      'warehouse.enrichment_sample.large was bigint and is integer',
    ],
    [
      'alter table warehouse.enrichment_sample alter column small drop not null',
      'breaking',
      'warehouse.enrichment_sample.small can now be null',
    ],
    [
      'alter table warehouse.enrichment_sample drop column large',
      'breaking',
      'warehouse.enrichment_sample.large was removed',
    ],
    ['drop table warehouse.enrichment_sample', 'breaking', 'warehouse.enrichment_sample was removed'],
    [
      'alter table warehouse.enrichment_sample drop constraint enrichment_sample_pkey',
      'breaking',
      'the key of warehouse.enrichment_sample was (id) and is ()',
    ],
    ['drop view bi.signal', 'breaking', 'bi.signal was removed'],
  ])('classifies the change `%s` of the warehouse as %s', async (statement, kind, sentence) => {
    await using warehouse = await testDatabase<never>('warehouse')
    await sql`create table warehouse.enrichment_sample (id integer primary key, small smallint not null, large bigint)`.execute(
      warehouse.db,
    )
    const before = await readContract(warehouse.db, '1.4.0')
    expect(compareContracts(before, before)).toEqual({ breaking: [], compatible: [] })
    await sql.raw(statement).execute(warehouse.db)
    const changes = compareContracts(before, await readContract(warehouse.db, '1.4.0'))
    expect(changes).toEqual({ breaking: [], compatible: [], [kind]: [sentence] })
    expect(nextVersion('1.4.0', changes)).toBe(kind === 'breaking' ? '2.0.0' : '1.5.0')
  })
})
