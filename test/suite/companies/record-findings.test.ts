import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceTables } from '../../../src/db/database.ts'
import type { Gathered } from '../../../src/findings/gather.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { readCounts } from '../../../src/stats/record-counts.ts'
import { testDatabase } from '../../helpers/database.ts'
import { gathered, record, says, shows, tells } from '../../helpers/findings.ts'

let service: Postgres<ServiceTables>
let domain: string
let serial = 0
beforeAll(async () => {
  service = await testDatabase<ServiceTables>('service')
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(() => {
  serial += 1
  domain = `firm-${serial}.example`
})

const store = (found: Gathered, now = new Date('2026-11-20T10:00:00Z'), maxPeople = 50) =>
  record(service.db, found, { taskId: 'task-1', now, maxPeople })
const company = () =>
  service.db.selectFrom('company').selectAll().where('domain', '=', domain).executeTakeFirstOrThrow()
const people = () =>
  service.db.selectFrom('person').selectAll().where('company_domain', '=', domain).orderBy('full_name').execute()
const events = () =>
  service.db.selectFrom('history_event').selectAll().where('domain', '=', domain).orderBy('changed_at').execute()

describe('a search for people or news only', () => {
  it.each([
    'not_found',
    'unavailable',
  ] as const)('a search for people or news that ends %s leaves the status of the company unchanged', async (answer) => {
    await store(gathered(domain, { observations: [says('website', 'name', 'Acme')] }))
    const { outcome } = await store(gathered(domain, { groups: ['leadership'], answers: { website: answer } }))
    expect(outcome).toBe(answer === 'not_found' ? 'not_found' : 'failed')
    expect(await company()).toMatchObject({
      enrichment_status: 'complete',
      status_reason: null,
      failed_attempts: 0,
    })
  })

  it('a search for people or news only does not complete a company whose own fields were not searched', async () => {
    await store(gathered(domain, { people: [shows('website', 'Ada Byron', { title: 'CEO' })] }))
    expect(await company()).toMatchObject({ enrichment_status: 'none', enriched_at: null })
    expect((await company()).leadership_enriched_at).not.toBeNull()
  })
})

describe('recording the fields of a company', () => {
  it('shows the winning values of a company, keeps the other values, and writes an event per change', async () => {
    const outcome = await store(
      gathered(domain, {
        observations: [
          says('website', 'name', 'Acme'),
          says('form-adv', 'name', 'Acme Capital LLC', { confidence: 0.5 }),
          says('website', 'employee_count', 12, { raw: 'a dozen people' }),
        ],
      }),
    )
    expect(outcome).toMatchObject({
      domain,
      outcome: 'complete',
      reason: null,
      changed: { fields: 2, people: 0, signals: 0 },
    })
    expect(await company()).toMatchObject({
      name: 'Acme',
      employee_count: 12,
      enrichment_status: 'complete',
      enriched_at: '2026-11-20T10:00:00.000000Z',
      leadership_enriched_at: null,
      failed_attempts: 0,
    })
    expect(await events()).toMatchObject([
      { entity: 'company', field: 'name', old_value: null, new_value: 'Acme', source: 'website', task_id: 'task-1' },
      { entity: 'company', field: 'employee_count', old_value: null, new_value: 12 },
    ])
    const kept = await service.db.selectFrom('observation').selectAll().where('domain', '=', domain).execute()
    expect(kept.filter(({ wins }) => !wins)).toMatchObject([{ source: 'form-adv', value: 'Acme Capital LLC' }])
    expect(kept.find(({ field }) => field === 'employee_count')).toMatchObject({ raw: 'a dozen people', wins: true })
  })

  it('writes no event for unchanged values of a company', async () => {
    const found = gathered(domain, { observations: [says('website', 'name', 'Acme')] })
    await store(found)
    expect((await store(found)).changed).toEqual({ fields: 0, people: 0, signals: 0 })
    expect(await events()).toHaveLength(1)
  })

  it('keeps values of other sources, and drops values that a source no longer reports', async () => {
    await store(
      gathered(domain, {
        observations: [
          says('website', 'name', 'Acme'),
          says('website', 'phone', '+1 212 555 0100'),
          says('form-adv', 'legal_name', 'Acme LLC'),
        ],
      }),
    )
    await store(gathered(domain, { observations: [says('website', 'name', 'Acme Inc')] }))
    expect(await company()).toMatchObject({ name: 'Acme Inc', phone: null, legal_name: 'Acme LLC' })
    expect((await events()).slice(3)).toMatchObject([
      { field: 'name', old_value: 'Acme', new_value: 'Acme Inc' },
      { field: 'phone', old_value: '+1 212 555 0100', new_value: null, source: 'website' },
    ])
  })

  it('keeps and marks the last known values of an unavailable site, and backs off', async () => {
    await store(gathered(domain, { observations: [says('website', 'name', 'Acme')] }))
    const away = gathered(domain, { groups: ['company'], answers: { website: 'unavailable' } })
    const first = await store(away, new Date('2026-11-21T00:00:00Z'))
    expect(first).toMatchObject({ outcome: 'failed', retryable: true, groups: { company: 'failed' } })
    expect(await company()).toMatchObject({
      name: 'Acme',
      enrichment_status: 'failed',
      status_reason: expect.stringContaining('website unavailable'),
      enriched_at: '2026-11-20T10:00:00.000000Z',
      failed_attempts: 1,
      retry_at: '2026-11-21T01:00:00.000000Z',
    })
    await store(away, new Date('2026-11-21T01:00:00Z'))
    expect(await company()).toMatchObject({ failed_attempts: 2, retry_at: '2026-11-21T03:00:00.000000Z' })
    await store(gathered(domain, { observations: [says('website', 'name', 'Acme')] }))
    expect(await company()).toMatchObject({
      enrichment_status: 'complete',
      failed_attempts: 0,
      retry_at: null,
      status_reason: null,
    })
  })

  it.each([
    ['leadership', 'signals'],
    ['signals', 'leadership'],
  ] as const)('stores the groups of concurrent requests to an unavailable site, whichever is recorded first: %s, %s', async (...groups) => {
    for (const group of groups)
      await store(gathered(domain, { groups: [group], answers: { website: 'unavailable', news: 'not_found' } }))
    const results = await service.db
      .selectFrom('provider_result')
      .select(['provider', 'groups', 'status', 'failures'])
      .where('domain', '=', domain)
      .orderBy('provider')
      .execute()
    expect(results).toEqual([
      { provider: 'news', groups: [groups[1]], status: 'not_found', failures: 0 },
      { provider: 'website', groups: ['leadership', 'signals'], status: 'unavailable', failures: 2 },
    ])
    await store(gathered(domain, { observations: [says('website', 'name', 'Acme')] }))
    expect(await service.db.selectFrom('provider_result').selectAll().where('domain', '=', domain).execute()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ provider: 'website', groups: ['company'], status: 'found', failures: 0 }),
      ]),
    )
  })

  it('marks a company as incomplete if a source was skipped because its last query for other groups failed', async () => {
    const away = gathered(domain, { groups: ['leadership'], answers: { website: 'unavailable' } })
    await store(away, new Date('2026-11-21T00:00:00Z'))
    const found = { observations: [says('form-adv', 'name', 'Acme')], skipped: ['website'] }
    expect(await store(gathered(domain, found), new Date('2026-11-21T00:10:00Z'))).toMatchObject({
      outcome: 'partial',
      reason: 'website: unavailable at the last attempt, will be retried later',
    })
    const none = gathered(domain, { groups: ['signals'], answers: { news: 'not_found' }, skipped: ['website'] })
    expect(await store(none)).toMatchObject({ outcome: 'failed', groups: { signals: 'failed' } })
    expect((await company()).retry_at).not.toBeNull()
  })

  it('records an enrichment as partial when a requested group is missing, and as not found when all groups are missing', async () => {
    const half = gathered(domain, {
      observations: [says('website', 'name', 'Acme')],
      groups: ['company', 'leadership'],
    })
    expect(await store(half)).toMatchObject({
      outcome: 'partial',
      reason: 'not found: leadership',
      groups: { company: 'found', leadership: 'not_found' },
    })
    expect((await company()).leadership_enriched_at).toBe('2026-11-20T10:00:00.000000Z')
    const none = gathered(domain, { groups: ['company'], answers: { website: 'not_found', wikidata: 'not_found' } })
    expect(await store(none)).toMatchObject({ outcome: 'not_found', retryable: false })
  })

  it('does not report old values as found when every source is unavailable', async () => {
    await store(gathered(domain, { observations: [says('website', 'name', 'Acme'), says('form-adv', 'phone', '1')] }))
    const away = gathered(domain, {
      groups: ['company'],
      answers: { website: 'unavailable', 'form-adv': 'unavailable' },
    })
    expect((await store(away)).outcome).toBe('failed')
    const halfAway = gathered(domain, { groups: ['company'], answers: { website: 'unavailable' } })
    expect((await store(halfAway)).outcome, 'and the other was not reached last time').toBe('failed')
  })

  it('counts a company once as enriched', async () => {
    const before = (await readCounts(service.db)).companies
    await store(gathered(domain, { observations: [says('website', 'name', 'Acme')] }))
    await store(gathered(domain, { observations: [says('website', 'name', 'Acme 2')] }))
    const after = (await readCounts(service.db)).companies
    expect([after.total - before.total, after.enriched - before.enriched]).toEqual([1, 1])
  })
})

describe('recording people', () => {
  it('stores each person with the hash of the address, and writes an event per field', async () => {
    const outcome = await store(
      gathered(domain, {
        people: [shows('website', 'Jane Roe', { title: 'CEO', seniority: 'executive', email: 'Jane@Firm.example' })],
      }),
    )
    expect(outcome).toMatchObject({ outcome: 'complete', changed: { fields: 0, people: 1 } })
    const [jane] = await people()
    expect(jane).toMatchObject({
      email: 'jane@firm.example',
      email_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      title: 'CEO',
      left_at: null,
      enrichment_status: 'complete',
    })
    const written = await events()
    expect(written.map(({ field }) => field)).toEqual([
      'full_name',
      'first_name',
      'last_name',
      'title',
      'seniority',
      'email',
      'email_status',
    ])
    expect(new Set(written.map(({ changed_at }) => changed_at)).size).toBe(7)
    expect(written.every(({ email_hash }) => email_hash === jane!.email_hash)).toBe(true)
  })

  it('recognizes a person by name, address or profile, and distinguishes namesakes by their addresses', async () => {
    await store(
      gathered(domain, { people: [shows('website', 'Jane Roe', { social_url: 'https://www.net.example/in/jane' })] }),
    )
    await store(
      gathered(domain, {
        people: [
          shows('form-adv', 'ROE, J.', { full_name: 'Dr. Jane A. Roe', title: 'Managing Director' }),
          shows('website', 'Jane Roe-Doe', { social_url: 'http://net.example/in/jane/' }),
          shows('website', 'John Doe', { email: 'john@firm.example' }),
          shows('website', 'John Doe', { email: 'john.doe@firm.example' }),
        ],
      }),
    )
    const found = await people()
    expect(found.map(({ full_name }) => full_name)).toEqual(['Dr. Jane A. Roe', 'John Doe', 'John Doe'])
    expect(found[0]).toMatchObject({
      title: 'Managing Director',
      in_formadv: true,
      social_url: 'http://net.example/in/jane/',
    })
  })

  it('keeps people with adjacent cards and one address separate, even on the next run', async () => {
    const published = { email: 'thea@acme.example' }
    const made = { email: 'zoe@acme.example', email_status: 'derived' } as const
    const shown = [
      shows('website', 'Thea Vellumson', published),
      shows('website', 'Thea Candlewright', published),
      shows('website', 'Zoe Inkpenn', made),
      shows('website', 'Zoe Moonfleet', made),
    ]
    for (const _ of ['the first time', 'the next time']) {
      await store(gathered(domain, { people: shown }))
      expect((await people()).map(({ full_name }) => full_name)).toEqual([
        'Thea Candlewright',
        'Thea Vellumson',
        'Zoe Inkpenn',
        'Zoe Moonfleet',
      ])
    }
  })

  it('marks departures of people, unless the source was incomplete or unavailable', async () => {
    const both = [shows('website', 'Jane Roe'), shows('website', 'John Doe')]
    await store(gathered(domain, { people: both }))
    await store(gathered(domain, { people: both.slice(0, 1) }), new Date('2026-11-21T00:00:00Z'), 1)
    await store(gathered(domain, { groups: ['leadership'], answers: { website: 'unavailable' } }))
    await store(gathered(domain, { groups: ['leadership'], answers: { website: 'not_found' } }))
    expect((await people()).map(({ left_at }) => left_at)).toEqual([null, null])
    await store(gathered(domain, { people: both.slice(0, 1) }), new Date('2026-11-22T00:00:00Z'))
    expect((await people()).map(({ left_at }) => left_at)).toEqual([null, '2026-11-22T00:00:00.000000Z'])
    await store(gathered(domain, { people: both }), new Date('2026-11-23T00:00:00Z'))
    expect((await people()).map(({ left_at }) => left_at)).toEqual([null, null])
    expect((await events()).filter(({ field }) => field === 'left_at')).toHaveLength(2)
  })

  it('keeps the officers of a Form ADV until its schedules are read again', async () => {
    const answers = { 'form-adv': 'found', 'schedule-ab': 'found' } as const
    const groups = ['company', 'leadership'] as const
    const observations = [says('form-adv', 'name', 'Acme')]
    const officers = [shows('form-adv', 'Jane Roe'), shows('form-adv', 'John Doe')]
    await store(gathered(domain, { observations, people: officers, groups: [...groups], answers }))
    await store(
      gathered(domain, { observations, groups: [...groups], answers: { ...answers, 'schedule-ab': 'unavailable' } }),
    )
    expect((await people()).map(({ in_formadv, left_at }) => [in_formadv, left_at])).toEqual([
      [true, null],
      [true, null],
    ])
    await store(gathered(domain, { observations, people: officers.slice(1), groups: [...groups], answers }))
    expect((await people()).map(({ left_at }) => left_at !== null)).toEqual([true, false])
  })

  it("assigns a person's earlier events to an address that becomes known", async () => {
    await store(gathered(domain, { people: [shows('website', 'Jane Roe', { title: 'CFO' })] }))
    expect((await events()).every(({ email_hash }) => email_hash === null)).toBe(true)
    await store(gathered(domain, { people: [shows('website', 'Jane Roe', { title: 'CFO', email: `j@${domain}` })] }))
    const [jane] = await people()
    expect((await events()).every(({ email_hash }) => email_hash === jane!.email_hash)).toBe(true)
  })

  it('counts new people of a company', async () => {
    const before = (await readCounts(service.db)).persons
    const seen = [shows('website', 'Jane Roe'), shows('form-adv', 'John Doe')]
    await store(gathered(domain, { people: seen }))
    await store(gathered(domain, { people: seen }))
    const after = (await readCounts(service.db)).persons
    expect([
      after.total - before.total,
      after.enriched - before.enriched,
      after.from_formadv - before.from_formadv,
    ]).toEqual([2, 2, 1])
  })
})

describe('recording news', () => {
  it('stores a repeated story once', async () => {
    const found = gathered(domain, {
      signals: [tells('website', 'Acme raises $5m'), tells('website', 'Acme opens in Oslo', { type: 'Expansion' })],
    })
    expect((await store(found)).changed.signals).toBe(2)
    expect((await store(found)).changed.signals).toBe(0)
  })
})
