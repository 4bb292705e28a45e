import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcileUnits } from '../../../src/units/reconcile.ts'
import type { AnswerServer } from '../../helpers/answer-server.ts'
import type { AnsweredService } from '../../helpers/answered-service.ts'
import { balance, resultOf, run, startAnsweredService, submit } from '../../helpers/answered-service.ts'
import type { TestService } from '../../helpers/service.ts'

let answered: AnsweredService
let service: TestService
let answers: AnswerServer
beforeAll(async () => {
  answered = await startAnsweredService()
  ;({ service, answers } = answered)
})
afterAll(() => answered[Symbol.asyncDispose]())

describe('POST /v2/enrich/company', () => {
  it.each([
    [{}, 1, 'enrich_company'],
    [{ include_leadership: true }, 6, 'enrich_company_with_leadership'],
    [{ include_signals: true }, 4, 'enrich_company_with_signals'],
    [{ include_leadership: true, include_signals: true }, 9, 'enrich_company_with_leadership_and_signals'],
  ])('enriching a company with %o costs %i', async (options, units, taskType) => {
    const caller = await service.addCaller({ units_per_period: 10 })
    const domain = `cost-${units}.example`
    answers.known.set(domain, {
      name: 'Acme',
      people: [{ full_name: 'Ada Byron', title: 'CEO', seniority: 'executive' }],
      signals: [{ type: 'Funding', headline: 'Acme raises', date: '2026-11-01', url: 'https://cost.example/1' }],
    })
    const reply = await submit(caller, '/v2/enrich/company', { domain: `https://WWW.${domain}/x`, ...options })
    expect(reply).toMatchObject({ status: 'queued', units_charged: units, units_remaining: 10 - units })
    expect(await resultOf(caller, reply.task_id)).toMatchObject({
      task_type: taskType,
      status: 'completed',
      progress: 1,
      input_data: { domain: `https://WWW.${domain}/x` },
      output_data: { companies: [{ domain, outcome: 'complete' }], units_refunded: 0 },
    })
    const { rows } = await sql`select name, enrichment_status from company where domain = ${domain}`.execute(service.db)
    expect(rows).toEqual([{ name: 'Acme', enrichment_status: 'complete' }])
  })

  it('completes the enrichment of a fresh company immediately without charge unless force or more groups are requested', async () => {
    const caller = await service.addCaller({ units_per_period: 100 })
    answers.known.set('fresh.example', { name: 'Fresh' })
    await run(caller, '/v2/enrich/company', { domain: 'fresh.example' })
    const again = await submit(caller, '/v2/enrich/company', { domain: 'fresh.example' })
    expect(again).toMatchObject({ status: 'queued', units_charged: 0, units_remaining: 99 })
    expect(await resultOf(caller, again.task_id)).toMatchObject({
      progress: 1,
      output_data: { companies: [{ domain: 'fresh.example', outcome: 'fresh' }] },
    })
    const forced = await submit(caller, '/v2/enrich/company', { domain: 'fresh.example', force: true })
    expect(forced).toMatchObject({ status: 'queued', units_charged: 1 })
    const more = await submit(caller, '/v2/enrich/company', { domain: 'fresh.example', include_signals: true })
    expect(more.units_charged).toBe(4)
  })

  it('returns the enriched company if the request waits for the result', async () => {
    const caller = await service.addCaller({ units_per_period: 10 })
    answers.known.set('wait.example', { name: 'Waited' })
    const body = { domain: 'wait.example' }
    const headers = { 'idempotency-key': 'wait-1' }
    const reply = await caller.call('POST', '/v2/enrich/company?wait=20', { body, headers })
    expect(reply.body).toMatchObject({ units_charged: 1, company: { domain: 'wait.example', name: 'Waited' } })
    const again = await caller.call('POST', '/v2/enrich/company', { body, headers })
    expect(again.body).toMatchObject({ task_id: reply.body['task_id'] })
  })

  it('refunds companies that are not found or whose sources are unavailable', async () => {
    const caller = await service.addCaller({ units_per_period: 10 })
    answers.known.set('unknown.example', { status: 404 })
    answers.known.set('down.example', { status: 503 })
    expect(await run(caller, '/v2/enrich/company', { domain: 'unknown.example' })).toMatchObject({
      status: 'completed',
      output_data: { companies: [{ outcome: 'not_found' }], units_refunded: 1 },
    })
    expect(await run(caller, '/v2/enrich/company', { domain: 'down.example' })).toMatchObject({
      status: 'failed',
      output_data: { companies: [{ outcome: 'failed', reason: expect.stringContaining('503') }], units_refunded: 1 },
    })
    expect(answers.asked.get('unknown.example')).toBe(1)
    expect(answers.asked.get('down.example')).toBe(3)
    expect(await balance(caller)).toBe(10)
  })

  it('responds 402 to an enrichment beyond the balance, with the required and available units', async () => {
    const caller = await service.addCaller({ units_per_period: 5 })
    const body = { domain: 'short.example', include_leadership: true }
    const reply = await caller.call('POST', '/v2/enrich/company', { body })
    expect(reply.status).toBe(402)
    expect(reply.body['detail']).toMatch(/6 required, 5 available/)
    expect(await balance(caller)).toBe(5)
  })

  it('refuses to enrich a company with an invalid domain, an unknown field or a disallowed callback URL', async () => {
    for (const body of [
      { domain: 'no domain' },
      { domain: '127.0.0.1' },
      { domain: 'a.example', depth: 2 },
      { domain: 'a.example', force: 'yes' },
      { domain: 'a.example', callback_url: 'ftp://a.example' },
      {},
    ])
      expect((await service.call('POST', '/v2/enrich/company', { body })).status, JSON.stringify(body)).toBe(422)
  })

  it('returns the same bytes for a repeated Idempotency-Key and 422 for a different body', async () => {
    const caller = await service.addCaller({ units_per_period: 10 })
    const headers = { 'idempotency-key': 'one' }
    const first = await submit(caller, '/v2/enrich/company', { domain: 'once.example' }, headers)
    const second = await submit(caller, '/v2/enrich/company', { domain: 'once.example' }, headers)
    expect(JSON.stringify(second)).toBe(JSON.stringify(first))
    const other = await caller.call('POST', '/v2/enrich/company', { body: { domain: 'twice.example' }, headers })
    expect(other.status).toBe(422)
    const stranger = await service.addCaller({ units_per_period: 10 })
    const theirs = await submit(stranger, '/v2/enrich/company', { domain: 'once.example' }, headers)
    expect(theirs.task_id).not.toBe(first.task_id)
  })
})

describe('POST /v2/search/leadership', () => {
  it('the leadership search returns the contacts of each company, most senior first, for 5 units per company', async () => {
    const caller = await service.addCaller({ units_per_period: 20 })
    answers.known.set('lead.example', {
      people: [
        { full_name: 'Grace Hopper', title: 'Director of Code', seniority: 'director' },
        {
          full_name: 'Ada Byron',
          title: 'CEO',
          seniority: 'executive',
          email: 'ada@lead.example',
          social_url: 'https://social.example/in/ada',
        },
        { full_name: 'Alan Turing', title: 'Manager', seniority: 'manager' },
      ],
    })
    answers.known.set('nobody.example', { status: 404 })
    const body = { domains: ['lead.example', 'nobody.example'], max_per_company: 2 }
    const reply = await submit(caller, '/v2/search/leadership', body)
    expect(reply.units_charged).toBe(10)
    expect((await resultOf(caller, reply.task_id)).output_data).toEqual({
      leadership: [
        {
          domain: 'lead.example',
          outcome: 'complete',
          reason: null,
          contacts: [
            {
              person_id: expect.any(String),
              full_name: 'Ada Byron',
              email: 'ada@lead.example',
              title: 'CEO',
              social_url: 'https://social.example/in/ada',
              seniority: 'executive',
            },
            expect.objectContaining({ full_name: 'Grace Hopper', seniority: 'director' }),
          ],
        },
        { domain: 'nobody.example', outcome: 'not_found', reason: expect.any(String), contacts: [] },
      ],
      units_refunded: 5,
    })
    const without = await run(caller, '/v2/search/leadership', { domains: ['lead.example'], enrich_via_social: false })
    expect(without.output_data.leadership[0].contacts[0]).toMatchObject({ full_name: 'Ada Byron', social_url: null })
  })

  it('the leadership search returns the head of the company with max_per_company 1', async () => {
    const executive = (full_name: string, title: string) => ({ full_name, title, seniority: 'executive' as const })
    answers.known.set('head.example', {
      people: [
        executive('Al Cio', 'CIO'),
        executive('Cal Coo', 'COO'),
        executive('Zoe Head', 'Chief Executive Officer'),
      ],
    })
    const caller = await service.addCaller({ units_per_period: 20 })
    const { output_data } = await run(caller, '/v2/search/leadership', {
      domains: ['head.example'],
      max_per_company: 1,
    })
    expect(output_data.leadership[0].contacts).toEqual([expect.objectContaining({ full_name: 'Zoe Head' })])
  })

  it('the leadership search accepts at most ten companies and one to ten contacts', async () => {
    const eleven = Array.from({ length: 11 }, (_, index) => `eleven-${index}.example`)
    for (const body of [
      { domains: [] },
      { domains: eleven },
      { domains: ['a.example'], max_per_company: 0 },
      { domains: ['a.example'], max_per_company: 11 },
    ])
      expect((await service.call('POST', '/v2/search/leadership', { body })).status).toBe(422)
  })
})

describe('POST /v2/discover/signals', () => {
  it('signal discovery returns the signals of each company for 3 units per company', async () => {
    const caller = await service.addCaller({ units_per_period: 9 })
    const news = { type: 'Funding', headline: 'News raises', date: '2026-11-01', url: 'https://n.example/1' } as const
    answers.known.set('news.example', { signals: [news] })
    const reply = await submit(caller, '/v2/discover/signals', { domains: ['news.example', 'NEWS.example'] })
    expect(reply.units_charged).toBe(3)
    expect((await resultOf(caller, reply.task_id)).output_data.signals).toEqual([
      {
        domain: 'news.example',
        outcome: 'complete',
        reason: null,
        signals: [{ ...news, confidence: expect.any(Number) }],
      },
    ])
  })
})

describe('POST /v2/enrich/person', () => {
  beforeAll(() => {
    answers.known.set('people.example', {
      people: [{ full_name: 'Ada Byron', title: 'CEO', seniority: 'executive', email: 'ada@people.example' }],
    })
  })

  it.each([
    [{ full_name: 'Ada Byron', company_domain: 'people.example' }],
    [{ email: 'ADA@people.example', force: true }],
  ])('enriches a person found as %o on the pages of the company', async (body) => {
    const caller = await service.addCaller({ units_per_period: 9 })
    const reply = await submit(caller, '/v2/enrich/person', body)
    expect(reply.units_charged).toBe(1)
    expect((await resultOf(caller, reply.task_id)).output_data.persons).toEqual([
      {
        outcome: 'complete',
        reason: null,
        person: expect.objectContaining({ full_name: 'Ada Byron', email: 'ada@people.example', title: 'CEO' }),
      },
    ])
  })

  it('enriches a person found by any spelling of the profile URL', async () => {
    answers.known.set('profile.example', {
      people: [
        {
          full_name: 'Pat Doe',
          title: 'CEO',
          seniority: 'executive',
          email: 'pat@profile.example',
          social_url: 'https://www.linkedin.com/in/Pat-Doe?trk=team',
        },
      ],
    })
    const caller = await service.addCaller({ units_per_period: 20 })
    await run(caller, '/v2/enrich/company', { domain: 'profile.example', include_leadership: true })
    for (const social_url of ['https://www.linkedin.com/in/Pat-Doe?trk=team', 'http://uk.linkedin.com/in/pat-doe/']) {
      const { output_data } = await run(caller, '/v2/enrich/person', { social_url })
      expect(output_data.persons[0].person).toMatchObject({ full_name: 'Pat Doe' })
    }
  })

  it('refunds persons that are not found', async () => {
    const caller = await service.addCaller({ units_per_period: 9 })
    for (const body of [
      { full_name: 'Nobody Here', company_domain: 'people.example' },
      { email: 'someone@gmail.com' },
      { social_url: 'https://social.example/in/nobody' },
    ])
      expect((await run(caller, '/v2/enrich/person', body)).output_data).toMatchObject({
        persons: [{ outcome: 'not_found', person: null }],
        units_refunded: 1,
      })
    expect(await balance(caller)).toBe(9)
  })

  it('requires an identifier to enrich a person, and a company domain with a name', async () => {
    for (const body of [
      {},
      { full_name: 'Ada Byron' },
      { company_domain: 'a.example' },
      { email: 'ada@a.example', company_domain: 'a.example' },
      { email: 'not an address' },
      { social_url: 'profile' },
    ])
      expect((await service.call('POST', '/v2/enrich/person', { body })).status, JSON.stringify(body)).toBe(422)
  })
})

describe('POST /v2/enrich/batch', () => {
  it('a batch enriches each company and person for one unit, even if others fail', async () => {
    const caller = await service.addCaller({ units_per_period: 9 })
    answers.known.set('batch-2.example', { status: 404 })
    const body = {
      domains: ['batch-1.example', 'batch-2.example', 'www.batch-1.example'],
      emails: ['ada@people.example', 'Ada@people.example'],
    }
    const reply = await submit(caller, '/v2/enrich/batch', body)
    expect(reply.units_charged).toBe(3)
    expect(await resultOf(caller, reply.task_id)).toMatchObject({
      status: 'completed',
      output_data: {
        companies: [
          { domain: 'batch-1.example', outcome: 'complete' },
          { domain: 'batch-2.example', outcome: 'not_found' },
        ],
        persons: [{ outcome: 'complete', person: { email: 'ada@people.example' } }],
        units_refunded: 1,
      },
    })
  })

  it('lists every invalid domain of a batch and charges no units', async () => {
    const caller = await service.addCaller({ units_per_period: 9 })
    const body = { domains: ['good.example', 'bad domain', '10.0.0.1'] }
    const reply = await caller.call<{ errors: unknown[] }>('POST', '/v2/enrich/batch', { body })
    expect(reply.status).toBe(422)
    expect(reply.body.errors).toMatchObject([{ path: '/domains/1' }, { path: '/domains/2' }])
    expect((await caller.call('POST', '/v2/enrich/batch', { body: {} })).status).toBe(422)
    expect(await balance(caller)).toBe(9)
  })
})

describe('the ledger', () => {
  it('the ledger balances after all enrichment submissions', async () => {
    expect((await reconcileUnits(service.db)).discrepancies).toEqual([])
  })
})
