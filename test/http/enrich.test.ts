import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/logger.ts'
import type { SubmissionReply } from '../../src/tasks/submit.ts'
import { reconcileUnits } from '../../src/units/reconcile.ts'
import { createLook } from '../../src/worker/look-up.ts'
import type { AnswerServer } from '../helpers/answer-server.ts'
import { answerProvider, startAnswerServer } from '../helpers/answer-server.ts'
import { eventually } from '../helpers/eventually.ts'
import type { TestCaller, TestService } from '../helpers/service.ts'
import { startService } from '../helpers/service.ts'
import { startWorkerOn } from '../helpers/work.ts'

let service: TestService
let answers: AnswerServer
let worker: AsyncDisposable
beforeAll(async () => {
  service = await startService()
  answers = await startAnswerServer()
  const look = createLook({
    db: service.db,
    providers: [answerProvider(answers.url)],
    clock: systemClock,
    log: silentLog,
    limits: { people: 25, articles: 10 },
  })
  worker = startWorkerOn(service, look)
})
afterAll(async () => {
  await worker[Symbol.asyncDispose]()
  await answers[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

interface Result {
  status: string
  progress: number
  // biome-ignore lint/suspicious/noExplicitAny: the contract is checked at each call; here its values are
  output_data: any
  input_data: unknown
}

async function submit(caller: TestCaller, path: string, body: object, headers = {}): Promise<SubmissionReply> {
  const reply = await caller.call<SubmissionReply>('POST', path, { body, headers })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}

async function resultOf(caller: TestCaller, taskId: string): Promise<Result> {
  return await eventually('the task ends', async () => {
    const { body } = await caller.call<Result>('GET', `/v2/tasks/${taskId}/result`)
    return ['completed', 'failed'].includes(body.status) && body
  })
}

const run = async (caller: TestCaller, path: string, body: object) =>
  await resultOf(caller, (await submit(caller, path, body)).task_id)

const balance = async (caller: TestCaller) =>
  (await caller.call<{ units_remaining: number }>('GET', '/v2/usage')).body.units_remaining

describe('POST /v2/enrich/company', () => {
  it.each([
    [{}, 1, 'enrich_company'],
    [{ include_leadership: true }, 6, 'enrich_company_with_leadership'],
    [{ include_signals: true }, 4, 'enrich_company_with_signals'],
    [{ include_leadership: true, include_signals: true }, 9, 'enrich_company_with_leadership_and_signals'],
  ])('with %o costs %i', async (options, units, taskType) => {
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

  it('costs nothing and is done at once when it is fresh, unless forced or asked for more', async () => {
    const caller = await service.addCaller({ units_per_period: 100 })
    answers.known.set('fresh.example', { name: 'Fresh' })
    await run(caller, '/v2/enrich/company', { domain: 'fresh.example' })
    const again = await submit(caller, '/v2/enrich/company', { domain: 'fresh.example' })
    expect(again).toMatchObject({ status: 'completed', units_charged: 0, units_remaining: 99 })
    expect(await resultOf(caller, again.task_id)).toMatchObject({
      progress: 1,
      output_data: { companies: [{ domain: 'fresh.example', outcome: 'fresh' }] },
    })
    const forced = await submit(caller, '/v2/enrich/company', { domain: 'fresh.example', force: true })
    expect(forced).toMatchObject({ status: 'queued', units_charged: 1 })
    const more = await submit(caller, '/v2/enrich/company', { domain: 'fresh.example', include_signals: true })
    expect(more.units_charged).toBe(4)
  })

  it('is refunded when nobody knows the company, or no source answers', async () => {
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

  it('is refused with 402 when units are short, naming what is required and available', async () => {
    const caller = await service.addCaller({ units_per_period: 5 })
    const body = { domain: 'short.example', include_leadership: true }
    const reply = await caller.call('POST', '/v2/enrich/company', { body })
    expect(reply.status).toBe(402)
    expect(reply.body['detail']).toMatch(/6 required, 5 available/)
    expect(await balance(caller)).toBe(5)
  })

  it('refuses what is no domain, an unknown field and an address that cannot be notified', async () => {
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

  it('sent again with its Idempotency-Key gets the same bytes; with another body 422', async () => {
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
  it('gives the contacts of each company, highest first, at 5 units a company', async () => {
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

  it('takes at most ten companies, and one to ten contacts', async () => {
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
  it('gives the news of each company, at 3 units a company', async () => {
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
  ])('finds %o on the pages of the company', async (body) => {
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

  it('is refunded for whom nobody knows', async () => {
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

  it('needs an identifier, and a name needs its company', async () => {
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
  it('takes companies and persons, a unit each, and one that fails does not fail the others', async () => {
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

  it('names every domain that is none, and charges nothing', async () => {
    const caller = await service.addCaller({ units_per_period: 9 })
    const body = { domains: ['good.example', 'bad domain', '10.0.0.1'] }
    const reply = await caller.call<{ errors: unknown[] }>('POST', '/v2/enrich/batch', { body })
    expect(reply.status).toBe(422)
    expect(reply.body.errors).toMatchObject([{ path: '/domains/1' }, { path: '/domains/2' }])
    expect((await caller.call('POST', '/v2/enrich/batch', { body: {} })).status).toBe(422)
    expect(await balance(caller)).toBe(9)
  })
})

describe('POST /v2/clients/{client_id}/tal/enrich', () => {
  const list = async (caller: TestCaller, domains: string[]) =>
    await service.db
      .insertInto('tal_member')
      .values(domains.map((domain) => ({ client_id: caller.client.client_id, domain, source: null })))
      .execute()
  const rowsWritten = async () => {
    const { rows } = await sql<{ rows: number }>`
      select (select count(*) from task) + (select count(*) from task_item) + (select count(*) from ledger_entry)
        + (select count(*) from pgboss.job) + (select count(*) from idempotent_reply) as rows`.execute(service.db)
    return rows[0]?.rows
  }

  it('previews by dry_run: nothing is written, and it says what it would cost', async () => {
    const caller = await service.addCaller({ units_per_period: 9 })
    await list(caller, ['tal-1.example', 'tal-2.example', 'tal-3.example'])
    expect(await balance(caller)).toBe(9)
    const before = await rowsWritten()
    const body = { dry_run: true }
    const reply = await caller.call('POST', '/v2/clients/me/tal/enrich', { body, headers: { 'idempotency-key': 'k' } })
    expect(reply.body).toMatchObject({
      task_id: null,
      status: 'dry_run',
      units_charged: 0,
      units_remaining: 9,
      units_required: 3,
      companies_to_enrich: 3,
      companies_skipped: 0,
    })
    expect(await rowsWritten()).toBe(before)
  })

  it('enriches what is stale, skips what is fresh, and takes all when forced', async () => {
    const caller = await service.addCaller({ units_per_period: 20 })
    await list(caller, ['age-1.example', 'age-2.example', 'age-3.example'])
    await run(caller, '/v2/enrich/company', { domain: 'age-1.example' })
    const path = `/v2/clients/${caller.client.client_id}/tal/enrich`
    const first = await submit(caller, path, {})
    expect(first).toMatchObject({ companies_to_enrich: 2, companies_skipped: 1, units_charged: 2 })
    await resultOf(caller, first.task_id)
    const nothing = await submit(caller, path, {})
    expect(nothing).toMatchObject({
      status: 'completed',
      companies_to_enrich: 0,
      companies_skipped: 3,
      units_charged: 0,
    })
    expect((await resultOf(caller, nothing.task_id)).output_data).toEqual({ companies: [], units_refunded: 0 })
    expect(await submit(caller, path, { max_age_days: 0 })).toMatchObject({ companies_to_enrich: 3 })
    expect(await submit(caller, path, { force: true, max_age_days: 10 })).toMatchObject({ task_id: expect.any(String) })
  })

  it('takes a company on once, however many ask at the same time', async () => {
    const caller = await service.addCaller({ units_per_period: 100 })
    await list(caller, ['race-1.example', 'race-2.example'])
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => submit(caller, '/v2/clients/me/tal/enrich', { max_age_days: 100 })),
    )
    expect(replies.reduce((sum, { units_charged }) => sum + units_charged, 0)).toBe(2)
  })

  it('of another client does not exist', async () => {
    const stranger = await service.addCaller()
    const path = `/v2/clients/${stranger.client.client_id}/tal/enrich`
    expect((await service.call('POST', path, { body: {} })).status).toBe(404)
  })
})

describe('tasks', () => {
  it('are listed newest first, by state, and belong to their client alone', async () => {
    const caller = await service.addCaller()
    const ids: string[] = []
    for (const domain of ['list-1.example', 'list-2.example', 'list-3.example'])
      ids.push((await submit(caller, '/v2/enrich/company', { domain })).task_id)
    for (const id of ids) await resultOf(caller, id)
    const listed = async (query: string) =>
      (await caller.call<{ tasks: { id: string }[] }>('GET', `/v2/tasks${query}`)).body.tasks.map(({ id }) => id)
    expect(await listed('')).toEqual(ids.toReversed())
    expect(await listed('?limit=1&status=completed')).toEqual([ids[2]])
    expect(await listed('?status=failed')).toEqual([])
    for (const query of ['?limit=0', '?limit=101', '?status=lost', '?limit=x'])
      expect((await caller.call('GET', `/v2/tasks${query}`)).status).toBe(400)
    for (const path of [`/v2/tasks/${ids[0]}`, `/v2/tasks/${ids[0]}/result`, '/v2/tasks/unknown'])
      expect((await service.call('GET', path)).status).toBe(404)
  })

  it('have no output before they end', async () => {
    const caller = await service.addCaller()
    const { rows } = await sql<{ task_id: string }>`
      insert into task (client_id, task_id, task_type, input, units_charged, items_total)
      values (${caller.client.client_id}, gen_random_uuid(), 'enrich_company', '{"domain": "x.example"}', 0, 1)
      returning task_id`.execute(service.db)
    const reply = await caller.call<Result>('GET', `/v2/tasks/${rows[0]?.task_id}/result`)
    expect(reply).toMatchObject({
      status: 200,
      body: { status: 'queued', progress: 0, input_data: { domain: 'x.example' }, output_data: null },
    })
  })
})

describe('GET /v2/usage', () => {
  it('moves with charges and refunds', async () => {
    const caller = await service.addCaller({ units_per_period: 50, plan: 'gold', overage_allowed: true })
    const { body } = await caller.call('GET', '/v2/usage')
    expect(body).toMatchObject({
      plan: 'gold',
      units_remaining: 50,
      units_used_this_period: 0,
      overage_allowed: true,
      period_started_at: caller.client.created_at,
    })
    await run(caller, '/v2/enrich/company', { domain: 'usage.example' })
    answers.known.set('refund.example', { status: 404 })
    await run(caller, '/v2/enrich/company', { domain: 'refund.example' })
    expect((await caller.call('GET', '/v2/usage')).body).toMatchObject({
      units_remaining: 49,
      units_used_this_period: 1,
    })
  })
})

describe('the books', () => {
  it('agree after all of this', async () => {
    expect((await reconcileUnits(service.db)).discrepancies).toEqual([])
  })
})
