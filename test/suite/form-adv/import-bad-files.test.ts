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

describe('a file that is wrong as a whole changes nothing, and says what to do', () => {
  const xlsx = () => zip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>' })
  const notice = '"The report for January 1, 2019 is unavailable due to the federal government shutdown"\r\n'
  const bomb = () => zip({ 'ia010122.csv': Buffer.alloc(80 * 2 ** 20, 'a') })
  const cases: [string, string, () => string | Buffer | Promise<Buffer>, RegExp][] = [
    ['an empty file', 'a.csv', () => '', /is empty/],
    ['an empty zip', 'a.zip', () => zip({}), /holds no \.csv/],
    ['a heading without rows', 'a.csv', () => csv(layout, []), /no rows/],
    [
      'another heading',
      'a.csv',
      () => 'name,city\r\nx,y\r\n',
      /no "Organization CRD#", no "SEC#".*158, 171, 184, 262 or 448/,
    ],
    ['no heading', 'a.csv', () => whole.slice(whole.indexOf('\n') + 1), /is not a firm roster/],
    ['a file that is no zip', 'a.zip', () => 'not a zip', /is not packed, whatever its name says/],
    [
      'a zip that was cut off',
      'a.zip',
      async () => (await zip({ 'a.csv': whole })).subarray(0, 400),
      /cut off or damaged/,
    ],
    [
      'a zip with a wrong checksum',
      'a.zip',
      async () => corrupted(await zip({ 'a.csv': whole })),
      /cut off or damaged/,
    ],
    ['a gzip that was cut off', 'a.csv.gz', () => gzipSync(whole).subarray(0, 200), /cut off or damaged/],
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
      /holds no \.csv, \.txt or \.xml, only readme\.pdf/,
    ],
    ['a zip bomb', 'a.zip', bomb, /unpacks to more than/],
    ['a workbook', 'a.xlsx', xlsx, /Excel workbook. Export its sheet as CSV/],
    [
      'a workbook in a zip',
      'a.zip',
      async () => await zip({ 'a.xlsx': await xlsx() }),
      /a\.xlsx in a\.zip is an Excel workbook/,
    ],
    ['an old workbook', 'a.csv', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), /Excel workbook/],
    ['a placeholder', 'ia010119.csv', () => notice, /is a placeholder.*federal government shutdown/],
    ['a zipped placeholder', 'ia010119.zip', () => zip({ 'ia010119.txt': notice }), /is a placeholder/],
    ['a web page', 'a.csv', () => '<!DOCTYPE html><html><body>Denied</body></html>', /is a web page/],
    ['a picture', 'a.csv', () => Buffer.from('89504e470d0a1a0a0000000d', 'hex'), /is not text/],
    ['UTF-16', 'a.csv', () => Buffer.from(`\ufeff${whole}`, 'utf16le'), /UTF-16. Save it as CSV/],
    ['a file cut off in a row', 'a.csv', () => whole.slice(0, -250), /cut off: its last row, on line 21, is not whole/],
    ['a file cut off in a quoted cell', 'a.csv', () => whole.slice(0, whole.lastIndexOf('"1,234') + 4), /cut off/],
    [
      'rows of which none is a firm',
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
  it.each(cases)('%s', async (_, name, content, message) => {
    await expect(bench.take(name, await content())).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringMatching(message),
    })
    expect(await counts()).toEqual(nothing)
  })

  it('a day of the file that there never was', async () => {
    await expect(bench.take('a.csv', whole, { asOf: '2026-02-30' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: '--as-of 2026-02-30 is not a day. Write it as YYYY-MM-DD.',
    })
  })

  it('a file that is not there, and a folder', async () => {
    const options = { maxBytes: 1, maxGoneShare: 0.1 }
    const nowhere = join(tmpdir(), 'talhouse-nowhere.csv')
    await expect(importFirmFile(bench.service, nowhere, options)).rejects.toMatchObject({
      code: 'bad_input',
      message: `There is no file ${nowhere}.`,
    })
    await expect(importFirmFile(bench.service, tmpdir(), options)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('is a folder'),
    })
  })
})

describe('rows that are wrong by themselves go to quarantine, and the others in', () => {
  const broken = (more: Record<string, string>) =>
    twenty.map((cells, index) => (index === 4 ? { ...cells, ...more } : cells))
  it.each([
    ['no CRD number', { 'Organization CRD#': '' }, 'has no CRD number'],
    ['a CRD number that is a word', { 'Organization CRD#': 'abc' }, 'Organization CRD#: "abc" is not a count'],
    ['no SEC number', { 'SEC#': '' }, 'has no SEC number'],
    ['a wrong SEC number', { 'SEC#': '80154739' }, 'SEC#: "80154739" is not a number such as 801-12345'],
    ["another firm's CRD number", { 'Organization CRD#': '1002' }, 'CRD number 1002 already occurs on line 4'],
    ["another firm's SEC number", { 'SEC#': '801-5002' }, 'SEC number 801-5002 already occurs on line 4'],
    ['money that is none', { '5F(2)(c)': 'lots' }, '5F(2)(c): "lots" is not an amount of money'],
    [
      'a date that is none',
      { 'Latest ADV Filing Date': '2/30/2022' },
      'Latest ADV Filing Date: "2/30/2022" is not a date',
    ],
    [
      'a filing of tomorrow',
      { 'Latest ADV Filing Date': '1/1/2199' },
      'Latest ADV Filing Date: 2199-01-01 is still to come',
    ],
    ['a count that is none', { '5A': '-5' }, '5A: "-5" is not a count'],
    ['an answer that is none', { '5G(1)': 'maybe' }, '5G(1): "maybe" is neither Y nor N'],
    ['no name', { 'Legal Name': '', 'Primary Business Name': '' }, 'has no name'],
    ['a cell too many', { '5A': '4,4' }, 'has 263 columns, the heading has 262'],
  ])('%s', async (_, more, reason) => {
    const report = await bench.take('a.csv', csv(layout, broken(more)))
    expect(report).toMatchObject({ rows: 20, new: 19, quarantined: 1, as_of: '2022-03-04' })
    expect(await bench.quarantine()).toMatchObject([{ line: 6, reason, row: expect.any(Object) }])
  })

  it('a quote that nobody closed breaks its own row alone, not those below it', async () => {
    const stray = csv(layout, broken({ 'Primary Business Name': '"EXAMPLE 4', 'Main Office City': '"SPRING' }))
    expect(await bench.take('a.csv', stray)).toMatchObject({ new: 19, quarantined: 1 })
    expect(await bench.quarantine()).toMatchObject([{ line: 6 }])
  })

  it('a firm whose row is in quarantine is not gone, and keeps what was known', async () => {
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

  it('the same rows are kept once, however often the file is imported', async () => {
    const content = csv(layout, broken({ '5A': 'x' }))
    await bench.take('a.csv', content)
    expect(await bench.take('a.csv', content)).toMatchObject({ quarantined: 1, unchanged: 19 })
    expect(await bench.quarantine()).toHaveLength(1)
  })
})

describe('personal columns', () => {
  it('are in no table, neither in good rows nor in bad ones', async () => {
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

describe('an import is one step', () => {
  it('for readers: until it commits they see the roster before it', async () => {
    await bench.take('a.csv', whole)
    const seen: unknown[] = []
    const present = async () =>
      (await sql<{ count: number }>`select count(*) from firm where gone_as_of is null`.execute(bench.service.db))
        .rows[0]?.count
    await bench.take('b.csv', csv(layout, [...twenty.slice(1), firmCells(700), firmCells(701)]), {
      onMerge: () => void present().then((count) => seen.push(count)),
    })
    expect(seen.concat(await present())).toEqual([20, 21])
  })

  it('for the store: one that is stopped leaves nothing', async () => {
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

/** One byte of what is packed, turned. */
function corrupted(packed: Buffer): Buffer {
  packed[60] = (packed[60] as number) ^ 0x55
  return packed
}
