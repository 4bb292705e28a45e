import { expect, it } from 'vitest'
import { createCountMemo } from '../../../src/firms/count-memo.ts'
import { parseFirmQuery } from '../../../src/firms/parse-query.ts'
import { queryFirms } from '../../../src/firms/query.ts'
import { undoLatestImport } from '../../../src/firms/undo-import.ts'
import { csv, firmCells, importBench, LAYOUTS } from '../../helpers/roster-files.ts'

const roster = (employees: string): string =>
  csv(
    LAYOUTS['registered-262'],
    [1, 2].map((index) => firmCells(index, { '5A': employees })),
  )

it('the data version of a page changes with every import that changes a firm, and never repeats', async () => {
  await using bench = await importBench()
  const version = async (): Promise<string> => {
    const query = parseFirmQuery({ filters: { crd_number: 'gt.0' } })
    return (await queryFirms(bench.service, query, createCountMemo())).data_version
  }
  const versions = [await version()]
  await bench.take('july.csv', roster('7'), { asOf: '2022-07-01' })
  versions.push(await version())
  await bench.take('october.csv', roster('8'), { asOf: '2022-10-03' })
  versions.push(await version())
  await bench.take('october-again.csv', roster('8'), { asOf: '2022-10-04' })
  expect(await version()).toBe(versions.at(-1))
  await undoLatestImport(bench.service.db, { name: 'test', keyId: null, address: null } as never)
  versions.push(await version())
  expect(new Set(versions).size).toBe(4)
})
