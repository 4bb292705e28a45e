import { expect, it } from 'vitest'
import { openCommandLine } from '../../helpers/command-line.ts'
import { startService } from '../../helpers/service.ts'

it('talhouse query prints numbers without loss of precision', async () => {
  await using service = await startService()
  await using talhouse = await openCommandLine(service)
  const sql =
    "select 9007199254740993::bigint as a, 12345678901234567.89::numeric as b, 18763535180.97::numeric as c, 'NaN'::numeric as d"
  expect(await talhouse.run('query', sql, '--format', 'csv')).toMatchObject({
    code: 0,
    out: 'a,b,c,d\n9007199254740993,12345678901234567.89,18763535180.97,NaN\n',
  })
})

it('talhouse query escapes formulas for spreadsheets in text, not in numbers', async () => {
  await using service = await startService()
  await using talhouse = await openCommandLine(service)
  const sql = `select '=1+1' as a, -5.5::numeric as b, -7 as c, '-7' as d, '@x' as e, 'plain' as f, null as g`
  expect(await talhouse.run('query', sql, '--format', 'csv', '--spreadsheet')).toMatchObject({
    code: 0,
    out: "a,b,c,d,e,f,g\n'=1+1,-5.5,-7,'-7,'@x,plain,\n",
  })
  expect(await talhouse.run('query', sql, '--spreadsheet')).toMatchObject({
    code: 2,
    err: 'talhouse: --spreadsheet requires --format csv.\n',
  })
})

it.each([
  ['table', [], 'a    b\nABC  red\n'],
  ['csv', ['--format', 'csv'], 'a,b\nABC,red\n'],
  ['json', ['--format', 'json'], '[\n  {\n    "a": "A\\u202eBC\\u009b",\n    "b": "\\u001b[31mred\\u0007"\n  }\n]\n'],
])('talhouse query prints no control characters in the format %s', async (_, options, out) => {
  await using service = await startService()
  await using talhouse = await openCommandLine(service)
  const sql = `select 'A' || chr(8238) || 'BC' || chr(155) as a, chr(27) || '[31mred' || chr(7) as b`
  expect(await talhouse.run('query', sql, ...options)).toMatchObject({ code: 0, out })
})
