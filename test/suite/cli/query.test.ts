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
