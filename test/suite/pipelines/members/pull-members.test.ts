import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { history } from '../../../../pipelines/history/pipeline.ts'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import type { StrangeHost } from '../../../helpers/strange-host.ts'
import { emailHash, startStrangeHost } from '../../../helpers/strange-host.ts'

function addCompany({ world }: StrangeHost, domain: string, people = 1): void {
  world.tal.push({ domain, source: 'test' })
  world.companies.set(domain, {
    domain,
    name: `The ${domain} company`,
    employee_count: 12,
    enrichment_status: 'complete',
    enriched_at: '2026-05-01T10:00:00.123Z',
    signals: [{ type: 'Funding', headline: `${domain} raises`, date: '2026-04-01', url: `https://${domain}/news` }],
  })
  const persons = Array.from({ length: people }, (_, index) => `person${index}@${domain}`)
  world.persons.set(
    domain,
    persons.map((email) => ({
      email_hash: emailHash(email),
      email,
      full_name: email,
      title: 'CEO',
      company_domain: domain,
    })),
  )
}

const event = (field: string, changed_at: string, old_value: unknown = null, new_value: unknown = 'x') => ({
  field,
  old_value,
  new_value,
  changed_at,
})

describe('pulling the target account list', () => {
  it.each([403, 404, 405, 422])('fetches each member if the host refuses a batch with %i', async (status) => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    addCompany(host, 'b.example')
    host.fault = (request) => (request.endsWith('/batch-read') ? { status } : undefined)
    await using bench = await pipelineBench(host)
    expect(await bench.run({ pipeline: talMembers })).toMatchObject({ error_code: null, inserted: 8 })
    expect(host.requests.filter((request) => request.endsWith('/batch-read'))).toHaveLength(1)
  })

  it('a pull stays degraded, and fetches the record again, while the host returns only some of its people', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'large.example', 6)
    host.world.reportsHistory = true // the list shows whether a record has changed
    host.world.behavior.persons = { pageSize: 5, honorsOffset: false, total: true }
    await using bench = await pipelineBench(host)
    for (const night of ['first', 'second'])
      expect(await bench.run({ pipeline: talMembers }), night).toMatchObject({
        outcome: 'degraded',
        reasons: [expect.stringContaining('large.example has 6 people, but 5 were pulled')],
      })
    host.world.behavior.persons = {}
    expect(await bench.run({ pipeline: talMembers })).toMatchObject({ outcome: 'ok', inserted: 1 })
  })

  it('erases no other person when one of more than 200 people leaves between two pages', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'large.example', 250)
    host.world.behavior.persons = { pageSize: 200, honorsOffset: true }
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    const people = async () =>
      (await sql<{ email: string }>`select email from warehouse.person`.execute(bench.warehouse.db)).rows.map(
        ({ email }) => email,
      )
    expect(await people()).toHaveLength(250)
    let pages = 0
    host.fault = (request) => {
      if (request.endsWith('/persons')) pages += 1
      // Removes a person on the first page before the second page is read, so each later person moves up by one place.
      if (request.endsWith('/persons') && pages === 2) host.world.persons.get('large.example')?.shift()
      return undefined
    }
    const expected = host.world.persons
      .get('large.example')
      ?.slice(1)
      .map(({ email }) => email)
    await bench.run({ pipeline: talMembers })
    expect(pages).toBeGreaterThan(2)
    expect(new Set(await people())).toEqual(new Set(expected))
  })

  it('stores two people with the same name and title but no addresses as two people', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example', 0)
    const smith = { full_name: 'John Smith', title: 'Partner', company_domain: 'a.example' }
    host.world.persons.set('a.example', [
      { ...smith, phone: '1' },
      { ...smith, phone: '2' },
    ])
    await using bench = await pipelineBench(host)
    for (const night of ['first', 'second']) {
      await bench.run({ pipeline: talMembers })
      const { rows } = await sql`select full_name, phone from warehouse.person order by phone`.execute(
        bench.warehouse.db,
      )
      expect(rows, night).toEqual([
        { full_name: 'John Smith', phone: '1' },
        { full_name: 'John Smith', phone: '2' },
      ])
    }
  })

  it('stores members, companies, people and signals of a host that implements only the interface', async () => {
    await using host = await startStrangeHost()
    for (const domain of ['a.example', 'b.example']) addCompany(host, domain, 2)
    host.world.tal.push({ domain: 'unknown.example' })
    await using bench = await pipelineBench(host)
    const run = await bench.run({ pipeline: talMembers })
    expect(run).toMatchObject({ outcome: 'ok', inserted: 3 + 2 + 4 + 2 })
    const { rows } = await sql<{
      domain: string
      enriched_at: string
    }>`select domain, enriched_at from warehouse.company order by 1`.execute(bench.warehouse.db)
    expect(rows).toEqual([
      { domain: 'a.example', enriched_at: '2026-05-01T10:00:00.123000Z' },
      { domain: 'b.example', enriched_at: '2026-05-01T10:00:00.123000Z' },
    ])
  })

  it('a pull of members writes nothing when nothing changed', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    const before =
      await sql`select person.xmin::text as a, company.xmin::text as b, member.xmin::text as c, signal.xmin::text as d from warehouse.person, warehouse.company, warehouse.tal_member member, warehouse.signal`.execute(
        bench.warehouse.db,
      )
    const run = await bench.run({ pipeline: talMembers })
    expect(run).toMatchObject({ outcome: 'ok', inserted: 0, updated: 0, gone: 0 })
    expect(
      (
        await sql`select person.xmin::text as a, company.xmin::text as b, member.xmin::text as c, signal.xmin::text as d from warehouse.person, warehouse.company, warehouse.tal_member member, warehouse.signal`.execute(
          bench.warehouse.db,
        )
      ).rows,
    ).toEqual(before.rows)
  })

  it('marks a member that left the list as gone, erases its people, and restores the member when it returns', async () => {
    await using host = await startStrangeHost()
    for (const domain of ['a.example', 'b.example', 'c.example', 'd.example', 'e.example']) addCompany(host, domain)
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    const [leaver] = host.world.tal.splice(0, 1)
    expect(await bench.run({ pipeline: talMembers })).toMatchObject({ outcome: 'ok', gone: 1 })
    expect(
      (await sql`select domain from warehouse.tal_member where gone_at is not null`.execute(bench.warehouse.db)).rows,
    ).toEqual([{ domain: 'a.example' }])
    expect(
      (await sql`select 1 from warehouse.person where company_domain = 'a.example'`.execute(bench.warehouse.db)).rows,
    ).toEqual([])
    host.world.tal.push(leaver as { domain: string })
    await bench.run({ pipeline: talMembers })
    expect(
      (await sql`select 1 from warehouse.tal_member where gone_at is not null`.execute(bench.warehouse.db)).rows,
    ).toEqual([])
    expect(
      (await sql`select 1 from warehouse.person where company_domain = 'a.example'`.execute(bench.warehouse.db)).rows,
    ).toHaveLength(1)
  })

  it('marks no member as gone above max_gone_share, and names the setting', async () => {
    await using host = await startStrangeHost()
    for (const domain of ['a.example', 'b.example', 'c.example']) addCompany(host, domain)
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    host.world.tal.splice(0, 2)
    const run = await bench.run({ pipeline: talMembers })
    expect(run).toMatchObject({ outcome: 'degraded', gone: 0 })
    expect(run.reasons[0]).toContain('TALHOUSE_PIPELINES_MEMBERS_MAX_GONE_SHARE=0.67')
  })

  it('erases a person whom the service no longer returns, with their events', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example', 2)
    const hash = emailHash('person0@a.example')
    host.world.events.set(hash, [event('title', '2026-05-02T00:00:00Z')])
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    await bench.run({ pipeline: history })
    expect(
      (await sql`select 1 from warehouse.history_event where key = ${hash}`.execute(bench.warehouse.db)).rows,
    ).toHaveLength(1)
    host.world.persons.set('a.example', host.world.persons.get('a.example')?.slice(1) ?? [])
    host.world.events.delete(hash)
    await bench.run({ pipeline: talMembers })
    const { rows } = await sql<{ dump: string }>`
      select to_jsonb(person)::text as dump from warehouse.person union all select to_jsonb(event)::text from warehouse.history_event event
    `.execute(bench.warehouse.db)
    expect(rows.filter(({ dump }) => dump.includes('person0@a.example') || dump.includes(hash))).toEqual([])
  })

  it('quarantines a rejected record and stores the others', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    addCompany(host, 'b.example')
    host.world.companies.set('a.example', { domain: 'a.example', employee_count: 'about forty' })
    await using bench = await pipelineBench(host)
    const run = await bench.run({ pipeline: talMembers })
    expect(run).toMatchObject({ outcome: 'degraded', quarantined: 1 })
    expect((await sql`select entity, key, reason from warehouse.quarantine`.execute(bench.warehouse.db)).rows).toEqual([
      { entity: 'company', key: 'a.example', reason: 'employee_count is "about forty", not integer' },
    ])
    expect((await sql`select domain from warehouse.company`.execute(bench.warehouse.db)).rows).toEqual([
      { domain: 'b.example' },
    ])
  })

  it('retries a pull after a truncated body, a 500 and a 429', async () => {
    await using host = await startStrangeHost()
    for (const domain of ['a.example', 'b.example', 'c.example']) addCompany(host, domain)
    const faults = ['cut', { status: 500 }, { status: 429, headers: { 'retry-after': '0' } }] as const
    host.fault = (request) =>
      request.startsWith('GET /v2/companies') && host.requests.length % 3 === 0
        ? faults[host.requests.length % 2]
        : undefined
    await using bench = await pipelineBench(host)
    expect(await bench.run({ pipeline: talMembers })).toMatchObject({ outcome: 'ok', inserted: 3 + 3 + 3 + 3 })
  })
})

describe('pulling history', () => {
  it('stores every event of companies and people once', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    const moments = Array.from({ length: 450 }, (_, index) =>
      new Date(Date.UTC(2026, 4, 1) + index * 1000).toISOString(),
    )
    host.world.events.set(
      'a.example',
      moments.map((moment, index) => event('name', moment, index, index + 1)),
    )
    host.world.events.set(emailHash('person0@a.example'), [event('title', '2026-05-02T00:00:00.000Z', 'CFO', 'CEO')])
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    expect(await bench.run({ pipeline: history })).toMatchObject({ outcome: 'ok', inserted: 451 })
    expect(await bench.run({ pipeline: history })).toMatchObject({ outcome: 'ok', inserted: 0 })
  })

  it('stores a late event within the overlap of the watermark', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    host.world.events.set('a.example', [event('name', '2026-05-01T12:00:00.000Z')])
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    await bench.run({ pipeline: history })
    host.world.events.get('a.example')?.push(event('phone', '2026-05-01T11:55:00.000Z'))
    expect(await bench.run({ pipeline: history })).toMatchObject({ inserted: 1 })
  })

  it('sets the watermark to the newest event, not to the clock', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    host.world.events.set('a.example', [event('name', '2026-05-01T12:00:00.123456Z')])
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    await bench.run({ pipeline: history })
    expect(
      (await sql`select value from sync.watermark where subject = 'company/a.example'`.execute(bench.warehouse.db))
        .rows,
    ).toEqual([{ value: '2026-05-01T12:00:00.123456Z' }])
  })

  it("shows a company as of any timestamp after the company's first event", async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    host.world.events.set('a.example', [
      event('employee_count', '2026-03-01T00:00:00Z', 5, 8),
      event('employee_count', '2026-04-01T00:00:00Z', 8, 12),
    ])
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    await bench.run({ pipeline: history })
    const at = async (moment: string) =>
      (
        await sql<{
          count: number
        }>`select (fields->>'employee_count')::int as count from warehouse.company_as_of(${moment}::timestamptz)`.execute(
          bench.warehouse.db,
        )
      ).rows[0]?.count
    expect([await at('2026-02-01'), await at('2026-03-15'), await at('2026-05-01')]).toEqual([undefined, 8, 12])
  })

  it('stores no events of a host that repeats the same page, and names the record', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    const same = Array.from({ length: 200 }, (_, index) =>
      event('name', new Date(Date.UTC(2026, 4, 1, 0, 0, index)).toISOString()),
    )
    const events = { get: () => ({ filter: () => ({ toSorted: () => ({ slice: () => same }) }) }) }
    host.world.events = events as unknown as StrangeHost['world']['events']
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    const run = await bench.run({ pipeline: history })
    expect(run).toMatchObject({ outcome: 'degraded', inserted: 0 })
    expect(run.reasons[0]).toContain('repeats the same page')
  })
})
