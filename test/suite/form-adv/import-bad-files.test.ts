import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importFirmFile } from '../../../src/form-adv/import-file.ts'
import type { ImportBench } from '../../helpers/roster-files.ts'
import { csv, firmCells, importBench, LAYOUTS, zip } from '../../helpers/roster-files.ts'

let bench: ImportBench
beforeAll(async () => {
  bench = await importBench()
})
beforeEach(() => bench.clear())
afterAll(() => bench[Symbol.asyncDispose]())

const layout = LAYOUTS['registered-262']
const twenty = Array.from({ length: 20 }, (_, index) => firmCells(index))
const whole = csv(layout, twenty)

const counts = async () => {
  const { rows } = await sql`
    select (select count(*) from firm) as firms, (select count(*) from firm_import) as imports,
      (select count(*) from firm_quarantine) as quarantined, (select version from firm_dataset) as version`.execute(
    bench.service.db,
  )
  return rows[0]
}

const nothing = { firms: 0, imports: 0, quarantined: 0, version: 0 }

describe('an invalid file changes nothing and reports the reason', () => {
  const xlsx = () => zip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>' })
  const notice = '"The report for January 1, 2019 is unavailable due to the federal government shutdown"\r\n'
  const bomb = () => zip({ 'ia010122.csv': Buffer.alloc(80 * 2 ** 20, 'a') })
  const cases: [string, string, () => string | Buffer | Promise<Buffer>, RegExp][] = [
    ['an empty file', 'a.csv', () => '', /is empty/],
    ['an empty zip', 'a.zip', () => zip({}), /contains no \.csv/],
    ['a heading without rows', 'a.csv', () => csv(layout, []), /but no data rows/],
    [
      'another heading',
      'a.csv',
      () => 'name,city\r\nx,y\r\n',
      /is missing "Organization CRD#", "SEC#".*158, 171, 184, 262 or 448/,
    ],
    ['no heading', 'a.csv', () => whole.slice(whole.indexOf('\n') + 1), /is not an SEC firm roster/],
    ['a zip that is not one', 'a.zip', () => 'not a zip', /is named like a zip or gzip file/],
    ['a truncated zip', 'a.zip', async () => (await zip({ 'a.csv': whole })).subarray(0, 400), /truncated or corrupt/],
    [
      'a zip with a wrong checksum',
      'a.zip',
      async () => corrupted(await zip({ 'a.csv': whole })),
      /truncated or corrupt/,
    ],
    ['a truncated gzip', 'a.csv.gz', () => gzipSync(whole).subarray(0, 200), /truncated or corrupt/],
    [
      'a zip of several rosters',
      'a.zip',
      () => zip({ 'a.csv': whole, 'b.csv': whole }),
      /several files \(a\.csv, b\.csv\)/,
    ],
    [
      'a zip without a roster',
      'a.zip',
      () => zip({ 'readme.pdf': 'x' }),
      /contains no \.csv, \.txt or \.xml file, only readme\.pdf/,
    ],
    ['a zip bomb', 'a.zip', bomb, /is larger than/],
    ['a workbook', 'a.xlsx', xlsx, /Excel workbook. Export the sheet as CSV/],
    [
      'a workbook in a zip',
      'a.zip',
      async () => await zip({ 'a.xlsx': await xlsx() }),
      /a\.xlsx in a\.zip is an Excel workbook/,
    ],
    ['an old workbook', 'a.csv', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), /Excel workbook/],
    ['a notice', 'ia010119.csv', () => notice, /is a notice instead of a roster.*federal government shutdown/],
    ['a zipped notice', 'ia010119.zip', () => zip({ 'ia010119.txt': notice }), /is a notice/],
    ['a web page', 'a.csv', () => '<!DOCTYPE html><html><body>Denied</body></html>', /is a web page/],
    ['a picture', 'a.csv', () => Buffer.from('89504e470d0a1a0a0000000d', 'hex'), /is not text/],
    ['UTF-16', 'a.csv', () => Buffer.from(`\ufeff${whole}`, 'utf16le'), /UTF-16. Save it as CSV/],
    [
      'a file truncated in a row',
      'a.csv',
      () => whole.slice(0, -250),
      /truncated: its last row, on line 21, is incomplete/,
    ],
    ['a file truncated in a quoted cell', 'a.csv', () => whole.slice(0, whole.lastIndexOf('"1,234') + 4), /truncated/],
    [
      'no valid rows',
      'a.csv',
      () => csv(layout, [firmCells(1, { 'SEC#': 'x' })]),
      /none of its 1 rows is a valid firm/,
    ],
    [
      'a roster without dates',
      'a.csv',
      () => csv(['Organization CRD#', 'SEC#', 'Legal Name'], [firmCells(1)]),
      /--as-of YYYY-MM-DD/,
    ],
  ]
  it.each(cases)('refuses an invalid roster file without changes: %s', async (_, name, content, message) => {
    await expect(bench.take(name, await content())).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringMatching(message),
    })
    expect(await counts()).toEqual(nothing)
  })

  it('refuses an impossible --as-of date without changes', async () => {
    await expect(bench.take('a.csv', whole, { asOf: '2026-02-30' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: '--as-of must be a date such as 2026-01-31, not 2026-02-30.',
    })
  })

  it('refuses a missing roster file and a directory', async () => {
    const options = { maxBytes: 1, maxGoneShare: 0.1 }
    const nowhere = join(tmpdir(), 'talhouse-nowhere.csv')
    await expect(importFirmFile(bench.service, nowhere, options)).rejects.toMatchObject({
      code: 'bad_input',
      message: `File ${nowhere} does not exist.`,
    })
    await expect(importFirmFile(bench.service, tmpdir(), options)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('is a directory'),
    })
  })
})

describe('rejected rows are quarantined and the others imported', () => {
  const broken = (more: Record<string, string>) =>
    twenty.map((cells, index) => (index === 4 ? { ...cells, ...more } : cells))
  it.each([
    ['no CRD number', { 'Organization CRD#': '' }, 'has no CRD number'],
    ['a CRD number in letters', { 'Organization CRD#': 'abc' }, 'Organization CRD#: "abc" is not a count'],
    ['no SEC number', { 'SEC#': '' }, 'has no SEC number'],
    ['a wrong SEC number', { 'SEC#': '80154739' }, 'SEC#: "80154739" is not a number such as 801-12345'],
    ["another firm's CRD number", { 'Organization CRD#': '1002' }, 'CRD number 1002 already occurs on line 4'],
    ["another firm's SEC number", { 'SEC#': '801-5002' }, 'SEC number 801-5002 already occurs on line 4'],
    ['invalid money', { '5F(2)(c)': 'lots' }, '5F(2)(c): "lots" is not an amount of money'],
    [
      'an impossible date',
      { 'Latest ADV Filing Date': '2/30/2022' },
      'Latest ADV Filing Date: "2/30/2022" is not a date',
    ],
    [
      'a filing in the future',
      { 'Latest ADV Filing Date': '1/1/2199' },
      'Latest ADV Filing Date: 2199-01-01 is in the future',
    ],
    ['a negative count', { '5A': '-5' }, '5A: "-5" is not a count'],
    ['an invalid answer', { '5G(1)': 'maybe' }, '5G(1): "maybe" is neither Y nor N'],
    ['no name', { 'Legal Name': '', 'Primary Business Name': '' }, 'has no name'],
    ['an extra cell', { '5A': '4,4' }, 'has 263 columns, but the header row has 262'],
  ])('quarantines rejected rows and imports the others: %s', async (_, more, reason) => {
    const report = await bench.take('a.csv', csv(layout, broken(more)))
    expect(report).toMatchObject({ rows: 20, new: 19, quarantined: 1, as_of: '2022-03-04' })
    expect(await bench.quarantine()).toMatchObject([{ line: 6, reason, row: expect.any(Object) }])
  })

  it('rejects only the roster row with an unclosed quote', async () => {
    const stray = csv(layout, broken({ 'Primary Business Name': '"EXAMPLE 4', 'Main Office City': '"SPRING' }))
    expect(await bench.take('a.csv', stray)).toMatchObject({ new: 19, quarantined: 1 })
    expect(await bench.quarantine()).toMatchObject([{ line: 6 }])
  })

  it('keeps the data of firms with rejected rows, and does not mark these firms as gone', async () => {
    await bench.take('a.csv', whole)
    expect(await bench.take('b.csv', csv(layout, broken({ '5F(2)(c)': 'lots' })))).toMatchObject({
      gone: 0,
      gone_unconfirmed: 0,
      quarantined: 1,
      unchanged: 19,
    })
    expect(await bench.take('c.csv', csv(layout, broken({ 'Organization CRD#': '?' })))).toMatchObject({
      gone: 0,
      gone_unconfirmed: 0,
      quarantined: 1,
    })
    expect(await bench.take('d.csv', csv(layout, broken({ 'Organization CRD#': '?', 'SEC#': '?' })))).toMatchObject({
      gone: 0,
      gone_unconfirmed: 1,
    })
  })

  it('stores a rejected row once per file', async () => {
    const content = csv(layout, broken({ '5A': 'x' }))
    await bench.take('a.csv', content)
    expect(await bench.take('a.csv', content)).toMatchObject({ quarantined: 1, unchanged: 19 })
    expect(await bench.quarantine()).toHaveLength(1)
  })
})

describe('personal columns', () => {
  it('does not store personal columns from valid or rejected rows', async () => {
    const exempt = LAYOUTS['exempt-184']
    const secret = 'Private Person'
    const officer = Object.fromEntries(
      exempt.filter((heading) => /Chief Compliance|CCO/.test(heading)).map((heading) => [heading, secret]),
    )
    expect(Object.keys(officer)).toHaveLength(13)
    const cells = (index: number, more = {}) =>
      firmCells(index, { 'SEC#': `802-${index}`, 'Firm Type': 'ERA', ...officer, ...more })
    const rows = [
      cells(1),
      cells(2, { 'SEC Status Effective Date': 'never' }),
      cells(3, { '1I': 'Y,Y' }),
      cells(1),
      cells(4),
    ]
    expect(await bench.take('a.csv', csv(exempt, rows))).toMatchObject({ new: 2, quarantined: 3 })
    const { rows: tables } = await sql<{ all: string }>`
      select (select string_agg(firm::text, '') from firm) || (select string_agg(q::text, '') from firm_quarantine q)
        || coalesce((select string_agg(c::text, '') from firm_change c), '') as all`.execute(bench.service.db)
    expect(tables[0]?.all).toContain('EXAMPLE 1')
    expect(tables[0]?.all).not.toContain(secret)
  })
})

describe('an import is atomic', () => {
  it('shows readers the previous roster until the import commits', async () => {
    await bench.take('a.csv', whole)
    const seen: unknown[] = []
    const present = async () =>
      (await sql<{ count: number }>`select count(*) from firm where gone_as_of is null`.execute(bench.service.db))
        .rows[0]?.count
    await bench.take('b.csv', csv(layout, [...twenty.slice(1), firmCells(700), firmCells(701)]), {
      onMerge: async () => void seen.push(await present()),
    })
    expect(seen.concat(await present())).toEqual([20, 21])
  })

  it('an interrupted import makes no changes', async () => {
    await bench.take('a.csv', whole)
    const before = await counts()
    const controller = new AbortController()
    const stopped = bench.take('b.csv', csv(layout, twenty.slice(1)), {
      onProgress: () => controller.abort(new Error('stopped by a test')),
      signal: controller.signal,
    })
    await expect(stopped).rejects.toThrow()
    expect(await counts()).toEqual(before)
  })
})

/** Flips bits of a compressed byte. */
function corrupted(packed: Buffer): Buffer {
  packed[60] = (packed[60] as number) ^ 0x55
  return packed
}
