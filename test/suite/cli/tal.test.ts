import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CommandLine } from '../../helpers/command-line.ts'
import { openCommandLine } from '../../helpers/command-line.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
let talhouse: CommandLine
beforeAll(async () => {
  service = await startService()
  talhouse = await openCommandLine(service)
})
afterAll(async () => {
  await talhouse[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

it('talhouse tal list prints a table, CSV for a spreadsheet, or JSON', async () => {
  expect(await talhouse.run('tal', 'list')).toMatchObject({ out: expect.stringContaining('The list is empty.') })
  const header = 'domain,name,status,enriched,source\n'
  expect(await talhouse.run('tal', 'list', '--format', 'csv')).toMatchObject({ code: 0, out: header })
  await talhouse.run('tal', 'add', 'b.example', 'a.example', '--source', 'fair, 2026')
  expect(await talhouse.run('tal', 'list', '--format', 'csv')).toMatchObject({
    out: `${header}a.example,,none,,"fair, 2026"\nb.example,,none,,"fair, 2026"\n`,
  })
  const { out } = await talhouse.run('tal', 'list', '--format', 'json')
  expect(JSON.parse(out)).toEqual([
    { domain: 'a.example', name: null, status: 'none', enriched: null, source: 'fair, 2026' },
    { domain: 'b.example', name: null, status: 'none', enriched: null, source: 'fair, 2026' },
  ])
})

it('talhouse tal import --dry-run prints the match of each row and adds no company', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'talhouse-import-')), 'accounts.csv')
  await writeFile(file, 'Company,Website,Owner\nCedar,cedar.example,Kim\nZyzzyva Shipping Works,,Li\n')
  const { code, out } = await talhouse.run('tal', 'import', file, '--dry-run')
  expect(code).toBe(4)
  expect(out).toMatch(/^row +status +domain +matched_name +likelihood +reason$/m)
  expect(out).toMatch(/^ *2 +matched +cedar\.example +1$/m)
  expect(out).toMatch(/^ *3 +unknown +No stored company has this name\. Add its domain to the row\.$/m)
  expect(out).not.toContain('added')
  const list = await talhouse.run('tal', 'list', '--json')
  expect(list.out).not.toContain('cedar.example')
})
