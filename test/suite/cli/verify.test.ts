import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandLine } from '../../helpers/command-line.ts'
import { openCommandLine } from '../../helpers/command-line.ts'
import type { StrangeHost } from '../../helpers/strange-host.ts'
import { hostWithHistory, MEMBERS } from '../../helpers/two-years-of-history.ts'

let host: StrangeHost
let talhouse: CommandLine
beforeAll(async () => {
  host = await hostWithHistory()
  talhouse = await openCommandLine(host)
  for (const pipeline of ['firms', 'tal-members', 'history']) await talhouse.run('run', pipeline)
}, 180_000)
afterAll(async () => {
  await talhouse[Symbol.asyncDispose]()
  await host[Symbol.asyncDispose]()
})

const change = (text: string) => sql.raw(text).execute(talhouse.warehouse.db)

describe('talhouse verify and talhouse repair', () => {
  it('talhouse verify exits with 0 if there are no differences', async () => {
    expect(await talhouse.run('verify', 'firms')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Compared 60 rows in \d+ requests: no differences\n$/),
    })
  })

  it('talhouse verify lists differences and exits with 4, and talhouse repair repairs them', async () => {
    await change("update warehouse.firm set legal_name = 'x' where sec_number = '801-10007'")
    expect(await talhouse.run('verify', 'firms')).toMatchObject({
      code: 4,
      out: expect.stringMatching(
        /1 difference\n {2}differs {2}firm 801-10007: legal_name\nRepair them: talhouse repair firms\n$/,
      ),
    })
    expect(await talhouse.run('repair', 'firms')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/repair-firms: ok[\s\S]+1 updated/),
    })
    expect((await talhouse.run('verify', 'firms')).code).toBe(0)
  })

  it('talhouse verify compares a sample of members and reports the sample size', async () => {
    await change("update warehouse.company set name = 'x'")
    const members = await talhouse.run('verify', 'members', '--sample', '5')
    expect(members).toMatchObject({ code: 4, out: expect.stringContaining('5 differences') })
    expect(members.out).toContain(`! --sample: the records of 5 of ${MEMBERS} members were compared`)
    await change("update warehouse.history_event set source = 'x' where domain = 'company3.example'")
    const events = JSON.parse((await talhouse.run('verify', 'history', '--json')).out)
    expect(events.differences).toHaveLength(104)
  })

  it('refuses a repair without a comparison, and a comparison of an unknown entity', async () => {
    await talhouse.run('repair', 'firms')
    expect(await talhouse.run('repair', 'firms')).toMatchObject({
      code: 5,
      err: expect.stringContaining('Run `talhouse verify firms` first'),
    })
    expect((await talhouse.run('verify', 'weather')).code).toBe(2)
  })

  it('talhouse verify reports errors of the service', async () => {
    host.fault = () => ({ status: 400 })
    expect(await talhouse.run('verify', 'firms')).toMatchObject({
      code: 2,
      err: expect.stringContaining('returned 400'),
    })
    host.fault = () => ({ status: 401 })
    expect(await talhouse.run('verify', 'firms')).toMatchObject({ code: 3 })
    host.fault = undefined
  })
})

describe('talhouse replay', () => {
  it('talhouse replay rewrites rows that differ from the stored records without a request, and exits with 4 if some records are not stored', async () => {
    await change(
      "update warehouse.company set name = 'x', row_hash = 'x' where domain = (select min(domain) from warehouse.company)",
    )
    const requests = host.requests.length
    expect(await talhouse.run('replay', 'members')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/replay-members: ok[\s\S]+ 1 updated/),
    })
    expect(host.requests).toHaveLength(requests)
    await change('delete from sync.raw_record where domain = (select min(domain) from sync.raw_record)')
    expect(await talhouse.run('replay', 'members')).toMatchObject({
      code: 4,
      out: expect.stringContaining('1 member had no stored records'),
    })
    expect(await talhouse.run('replay', 'history')).toMatchObject({
      code: 0,
      out: expect.stringContaining('replay-history: ok'),
    })
    expect((await talhouse.run('replay', 'weather')).code).toBe(2)
  })
})

describe('talhouse checks', () => {
  it('talhouse checks lists violations with examples and exits with 4, or exits with 0 if there are none', async () => {
    await change("update warehouse.firm set legal_name = null where sec_number = '801-10007'")
    const broken = await talhouse.run('checks')
    expect(broken.code).toBe(4)
    expect(broken.out).toMatch(/FAIL {2}firm\.legal_name is not null: 1\n {8}\{.*"801-10007"/)
    await change("update warehouse.firm set legal_name = 'x' where legal_name is null")
    await change('delete from warehouse.history_event')
    await change('delete from sync.watermark')
    const whole = await talhouse.run('checks')
    expect(whole.out).toMatch(/(\d+) of \1 checks passed\.\n$/)
    expect(whole.code).toBe(0)
    const results = JSON.parse((await talhouse.run('checks', '--json')).out)
    expect(results.every(({ failures }: { failures: number }) => failures === 0)).toBe(true)
  })

  it('talhouse checks and talhouse status show unknown fields of the service as a note', async () => {
    for (const company of host.world.companies.values()) company['mood'] = 'sunny'
    await change('update sync.member_state set fingerprint = null')
    expect((await talhouse.run('run', 'tal-members')).out).toContain('schema drift')
    const shown = await talhouse.run('checks')
    expect(shown.out).toMatch(/note {2}every field of the service has a column: 1\n {8}\{.*"mood"/)
    expect(shown.code).toBe(0)
    expect((await talhouse.run('status')).out).toMatch(/Schema drift.*company\.mood/)
  })
})
