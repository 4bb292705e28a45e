import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandLine } from '../../helpers/command-line.ts'
import { openCommandLine } from '../../helpers/command-line.ts'
import type { FirmHost } from '../../helpers/firm-host.ts'
import { startFirmHost } from '../../helpers/firm-host.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'

let host: FirmHost
let commandLine: CommandLine
let folder: string
beforeAll(async () => {
  host = await startFirmHost(generateFirms(80))
  folder = await mkdtemp(join(tmpdir(), 'talhouse-events-'))
  commandLine = await openCommandLine(host, {
    TALHOUSE_LINEAGE_URL: pathToFileURL(join(folder, 'events.jsonl')).href,
    TALHOUSE_PIPELINES_EXPECTATIONS_QUERIES:
      'there are 80 firms=select 1 where (select count(*) from warehouse.firm) < 80',
  })
})
afterAll(async () => {
  await commandLine[Symbol.asyncDispose]()
  await host[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const talhouse = (...args: string[]) => commandLine.run(...args)

describe('pipeline commands', () => {
  it('talhouse run runs a pipeline and prints its counts', async () => {
    const { code, out } = await talhouse('run', 'firms')
    expect(out).toMatch(/Run 1, firms: ok in [\d.]+ s\n {2}80 inserted, 0 updated, 0 unchanged, 0 gone, \d+ requests/)
    expect(code).toBe(0)
  })

  it('writes lineage events of a run to the configured file', async () => {
    const events = (await readFile(join(folder, 'events.jsonl'), 'utf8')).trimEnd().split('\n')
    expect(events.map((line) => JSON.parse(line))).toMatchObject([
      { eventType: 'START', job: { namespace: 'talhouse', name: 'firms' } },
      { eventType: 'COMPLETE', inputs: [{ namespace: host.url, name: '/firms' }] },
    ])
  })

  it('prints a run as JSON, lists it and shows it', async () => {
    const again = JSON.parse((await talhouse('run', 'firms', '--json')).out)
    expect(again).toMatchObject({ id: 2, outcome: 'ok', unchanged: 80 })
    expect((await talhouse('runs', 'list')).out).toMatch(/2 +firms +ok[\s\S]+1 +firms +ok/)
    expect((await talhouse('runs', 'show', '2')).out).toContain('requested by command')
  })

  it('talhouse status shows the latest runs and the next scheduled run', async () => {
    const status = JSON.parse((await talhouse('status', '--json')).out)
    expect(status).toMatchObject({
      pipelines: [{ pipeline: 'firms', outcome: 'ok', run: 2 }],
      next_due: expect.stringMatching(/T02:00:00/),
    })
  })

  it('talhouse query has the read-only permissions of an analyst', async () => {
    const { out } = await talhouse('query', 'select count(*) as firms from warehouse.firm', '--format', 'csv')
    expect(out).toBe('firms\n80\n')
    const refused = await talhouse('query', 'delete from warehouse.firm')
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('read-only') })
    const hidden = await talhouse('query', 'select * from sync.run')
    expect(hidden).toMatchObject({ code: 2, err: expect.stringContaining('permission denied') })
  })

  it('runs several pipelines in order, and prints the pipelines that ended before a failure', async () => {
    const { code, out, err } = await talhouse('run', 'staleness', 'firms', 'history', '--json')
    expect(JSON.parse(out)).toMatchObject([
      { id: 3, pipeline: 'staleness', outcome: 'ok' },
      { id: 4, pipeline: 'firms', outcome: 'ok' },
      { id: 5, pipeline: 'history', outcome: 'ok' },
    ])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(await talhouse('run', 'firms', 'nonsense')).toMatchObject({ code: 5, out: '' })
    expect(await talhouse('run', 'staleness', 'tal-members', 'firms')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/Run 6, staleness: ok[\s\S]+Run 7, tal-members: failed[^R]+$/),
    })
  })

  it('exits with 4 for a degraded run, and with the code of the error for a failed run', async () => {
    host.firms = host.firms.slice(40)
    expect(await talhouse('run', 'firms')).toMatchObject({
      code: 4,
      out: expect.stringContaining('MAX_GONE_SHARE=0.5'),
    })
    host.fault = () => ({ kind: 'status', status: 404 })
    expect(await talhouse('run', 'firms')).toMatchObject({ code: 5, err: expect.stringContaining('returned 404') })
  })

  it('checks the expectations during a run, and shows the results in the status', async () => {
    expect(await talhouse('run', 'expectations')).toMatchObject({ code: 0 })
    expect((await talhouse('status')).out).toContain('Expectations: 1 of 1 met\n')
    await sql`delete from warehouse.firm where firm_id = (select min(firm_id) from warehouse.firm)`.execute(
      commandLine.warehouse.db,
    )
    const checked = await talhouse('checks')
    expect(checked).toMatchObject({ code: 4, out: expect.stringContaining('FAIL  there are 80 firms: 1') })
    expect((await talhouse('status')).out).toContain('Expectations: 0 of 1 met\n  FAIL  there are 80 firms')
    expect(JSON.parse((await talhouse('status', '--json')).out).expectations).toMatchObject([
      { name: 'there are 80 firms', kind: 'expectation', failures: 1 },
    ])
  })
})
