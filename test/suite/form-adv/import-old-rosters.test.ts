import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { undoLatestImport } from '../../../src/firms/undo-import.ts'
import type { Cells, ImportBench } from '../../helpers/roster-files.ts'
import { csv, firmCells, importBench, LAYOUTS } from '../../helpers/roster-files.ts'
import { SHARED_ROSTERS } from '../../helpers/shared-data.ts'

let bench: ImportBench
beforeAll(async () => {
  bench = await importBench()
})
beforeEach(() => bench.clear())
afterAll(() => bench[Symbol.asyncDispose]())

const headingsOf = (name: string): string[] => JSON.parse(readFileSync(join(SHARED_ROSTERS, name), 'utf8')) as string[]

/** Sums of three columns, computed with a generic CSV library. */
function sumsOf(text: string, delimiter = ',') {
  const rows = parse(text, {
    columns: true,
    delimiter,
    quote: delimiter === '|' ? null : '"',
    relax_column_count: true,
  }) as Cells[]
  const sum = (heading: string): number =>
    rows.reduce((total, row) => total + Math.round(Number((row[heading] ?? '').replace(/[$,\s]/g, '') || 0) * 100), 0) /
    100
  return { rows: rows.length, crd: sum('Organization CRD#'), employees: sum('5A'), assets: sum('5F(2)(c)') }
}

async function sumsInDatabase() {
  const { rows } = await sql<object>`
    select count(*)::integer as rows, sum(crd_number)::float8 as crd, coalesce(sum(employee_count), 0)::float8 as employees,
      coalesce(sum(aum_total_usd), 0)::float8 as assets
    from firm where gone_as_of is null`.execute(bench.service.db)
  return rows[0]
}

const firms = (count: number, more: (index: number) => Cells = () => ({})): Cells[] =>
  Array.from({ length: count }, (_, index) => firmCells(index + 1, more(index + 1)))

describe.skipIf(!existsSync(SHARED_ROSTERS))('every published layout', () => {
  it.each([
    'headers_ria_2026_448.json',
    'headers_ia100322.json',
    'headers_ia07012025-exempt.json',
    'headers_era_2026_171_inferred.json',
  ])('an import of %s has the same sums as an independent reader', async (name) => {
    const layout = headingsOf(name)
    const text = csv(
      layout,
      firms(40, (index) =>
        name.includes('ria') || name.includes('ia1') ? {} : { 'SEC#': `802-${6000 + index}`, 'Firm Type': 'ERA' },
      ),
    )
    const report = await bench.take('roster.csv', text)
    expect(report).toMatchObject({ rows: 40, new: 40, quarantined: 0, warnings: [] })
    expect(await sumsInDatabase()).toEqual(sumsOf(text))
  })

  it('an import of the first rows of a real roster has the same sums as an independent reader', async () => {
    const bytes = readFileSync(join(SHARED_ROSTERS, 'ria_2022_10_first200_cp1252.csv'))
    expect(await bench.take('ia100322.csv', bytes)).toMatchObject({
      quarantined: 0,
      warnings: [],
    })
    expect(await sumsInDatabase()).toEqual(sumsOf(new TextDecoder('windows-1252').decode(bytes)))
  })

  it('an import of the |-separated text of 2006 has the same sums as an independent reader', async () => {
    const layout = [
      'SEC Region',
      'Organization CRD#',
      'SEC#',
      'Primary Business Name',
      'Legal Name',
      'Main Office Street Address 1',
      'City, State, Postal Code',
      '5A',
      '5F(2)(c)',
    ]
    const text = [
      layout,
      ...firms(30, () => ({ '5F(2)(c)': '1234567.89', 'City, State, Postal Code': 'ALBANY, NY 12207' })).map((cells) =>
        layout.map((heading) => cells[heading] ?? ''),
      ),
    ]
      .map((cells) => `${cells.join('|')}\r\n`)
      .join('')
    expect(await bench.take('ia060506.txt', text)).toMatchObject({ rows: 30, new: 30, as_of: '2006-06-05' })
    expect(await sumsInDatabase()).toEqual(sumsOf(text, '|'))
  })
})

describe('a roster of 2009 and 2010', () => {
  it.each([
    '251-500',
    'More than 1,000',
    '1,001 or more',
    'None',
    '10-Jan',
    'Up to 25%',
    '76% - 100%',
  ])('imports a roster of 2009 or 2010 with the range %s, and keeps the range as filed', async (range) => {
    const text = csv(
      LAYOUTS['registered-262'],
      firms(3, (index) => (index === 2 ? { '5A': `"${range}"`, '5B(1)': `"${range}"`, '5C(2)': `"${range}"` } : {})),
    )
    expect(await bench.take('ia030110.csv', text)).toMatchObject({ new: 3, quarantined: 0 })
    const { rows } = await sql`select employee_count, items ->> '5A' as filed from firm order by crd_number`.execute(
      bench.service.db,
    )
    expect(rows).toEqual([
      { employee_count: 1, filed: null },
      { employee_count: null, filed: range },
      { employee_count: 3, filed: null },
    ])
    // A later count replaces the range.
    await bench.take(
      'ia040110.csv',
      csv(
        LAYOUTS['registered-262'],
        firms(3, () => ({ 'Latest ADV Filing Date': '4/1/2022' })),
      ),
    )
    const { rows: later } =
      await sql`select employee_count, items ? '5A' as has_range from firm order by crd_number`.execute(
        bench.service.db,
      )
    expect(later[1]).toEqual({ employee_count: 2, has_range: false })
  })

  it('rejects a roster row whose count is neither a number nor a range', async () => {
    expect(
      await bench.take(
        'a.csv',
        csv(
          LAYOUTS['registered-262'],
          firms(3, (index) => (index === 2 ? { '5A': 'abc' } : {})),
        ),
      ),
    ).toMatchObject({ quarantined: 1 })
  })
})

it('decodes a single Windows-1252 byte in a UTF-8 roster as Windows-1252, with a warning', async () => {
  const text = csv(
    LAYOUTS['registered-262'],
    firms(5, () => ({ 'Legal Name': 'Münchner Vermögen Größe' })),
  )
  const bytes = Buffer.from(text)
  const at = bytes.indexOf('Größe', bytes.length - 1200)
  const broken = Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from('Gr\xf6\xdfe', 'latin1'),
    bytes.subarray(at + Buffer.byteLength('Größe')),
  ])
  expect(await bench.take('roster.csv', broken)).toMatchObject({
    quarantined: 0,
    encoding: 'utf-8 with windows-1252',
    warnings: ['2 bytes of the file are not UTF-8 and were read as Windows-1252'],
  })
  const { rows } = await sql`select distinct legal_name from firm`.execute(bench.service.db)
  expect(rows).toEqual([{ legal_name: 'Münchner Vermögen Größe' }])
})

it("does not derive a roster's date from one wrong filing date", async () => {
  const march = firms(200, (index) => ({ 'Latest ADV Filing Date': index === 7 ? '3/4/2024' : '3/4/2022' }))
  const report = await bench.take('a.csv', csv(LAYOUTS['registered-262'], march))
  expect(report).toMatchObject({ as_of: '2022-03-04', new: 200 })
  expect(report.warnings.join()).toMatch(/1 filing date is much later than all others and was ignored/)
  const april = firms(200, () => ({ 'Latest ADV Filing Date': '4/4/2022' }))
  expect(await bench.take('b.csv', csv(LAYOUTS['registered-262'], april))).toMatchObject({ as_of: '2022-04-04' })
})

it('refuses a roster date in the future', async () => {
  const text = csv(LAYOUTS['registered-262'], firms(3))
  await expect(bench.take('a.csv', text, { asOf: '2999-01-01' })).rejects.toThrow(/--as-of 2999-01-01 is in the future/)
})

it('drops fields that a firm no longer reports after it becomes exempt', async () => {
  await bench.take('a.csv', csv(LAYOUTS['registered-262'], firms(4)))
  const exempt = { 'SEC#': '802-9002', 'Firm Type': 'ERA', '5F(2)(c)': '', 'Latest ADV Filing Date': '5/4/2022' }
  const layout = LAYOUTS['exempt-184'].filter((heading) => !heading.startsWith('5F'))
  await bench.take('b.csv', csv(layout, [firmCells(2, exempt)]))
  const { rows } =
    await sql`select firm_type, aum_total_usd, items ? '8C(1)' as has_item from firm where crd_number = 1002`.execute(
      bench.service.db,
    )
  expect(rows).toEqual([{ firm_type: 'exempt', aum_total_usd: null, has_item: layout.includes('8C(1)') }])
  const { rows: changes } =
    await sql`select old_value, new_value from firm_change where crd_number = 1002 and field = 'aum_total_usd'`.execute(
      bench.service.db,
    )
  expect(changes).toEqual([{ old_value: 1234567.89, new_value: null }])
})

it('does not keep the names from an undone import as former names', async () => {
  const named = (day: string, names: Readonly<Record<number, string>>) =>
    csv(
      LAYOUTS['registered-262'],
      firms(3, (index) => {
        const name = names[index] && { 'Legal Name': names[index], 'Primary Business Name': names[index] }
        return { 'Latest ADV Filing Date': day, ...name }
      }),
    )
  await bench.take('a.csv', named('3/4/2022', {}))
  await bench.take('b.csv', named('4/4/2022', { 1: 'RENAMED' }))
  await bench.take('c.csv', named('5/4/2022', { 1: 'WRONG', 2: 'ALSO WRONG' }))
  await undoLatestImport(bench.service.db, { name: 'test', keyId: null, address: null } as never)
  const { rows } = await sql`select legal_name, former_names from firm order by crd_number`.execute(bench.service.db)
  expect(rows).toEqual([
    { legal_name: 'RENAMED', former_names: ['EXAMPLE 1', 'EXAMPLE 1 LLC'] },
    { legal_name: 'EXAMPLE 2 LLC', former_names: null },
    { legal_name: 'EXAMPLE 3 LLC', former_names: null },
  ])
})

it('accepts older rosters again after the latest import is undone', async () => {
  const actor = { name: 'test', keyId: null, address: null }
  const contents = async () =>
    (
      await sql`select to_jsonb(firm) - array['gone_at'] as firm from firm order by crd_number`.execute(
        bench.service.db,
      )
    ).rows
  await bench.take('a.csv', csv(LAYOUTS['registered-262'], firms(12)))
  const before = await contents()
  const wrong = firms(13)
    .slice(1)
    .map((cells) => ({ ...cells, '5A': '99', '8C(1)': 'N' }))
  await bench.take('b.csv', csv(LAYOUTS['registered-262'], wrong), { asOf: '2025-01-31', allowGoneShare: 1 })
  expect(await contents()).not.toEqual(before)
  expect(await undoLatestImport(bench.service.db, actor as never)).toMatchObject({
    file: 'b.csv',
    as_of: '2025-01-31',
    removed: 1,
    restored: 12,
  })
  expect(await contents()).toEqual(before)
  const { rows } = await sql`select firms, as_of::text from firm_dataset`.execute(bench.service.db)
  expect(rows).toEqual([{ firms: 12, as_of: '2022-03-04' }])
  expect(
    await bench.take(
      'c.csv',
      csv(
        LAYOUTS['registered-262'],
        firms(12, () => ({ 'Latest ADV Filing Date': '4/4/2022' })),
      ),
    ),
  ).toMatchObject({ changed: 12 })
  await undoLatestImport(bench.service.db, actor as never)
  await undoLatestImport(bench.service.db, actor as never)
  await expect(undoLatestImport(bench.service.db, actor as never)).rejects.toMatchObject({ code: 'not_found' })
})
