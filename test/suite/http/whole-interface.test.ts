import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addViewer } from '../../../src/companies/visibility.ts'
import type { Gathered } from '../../../src/findings/gather.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { hashEmail } from '../../../src/personal-data/email-hash.ts'
import { createItemEnricher } from '../../../src/worker/enrich.ts'
import type { AnswerServer } from '../../helpers/answer-server.ts'
import { answerProvider, startAnswerServer } from '../../helpers/answer-server.ts'
import { eventually } from '../../helpers/eventually.ts'
import { gathered, record, says, shows, tells } from '../../helpers/findings.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'
import { startWorkerOn } from '../../helpers/work.ts'
import type { Receiver } from '../webhooks/receiver.ts'
import { startReceiver } from '../webhooks/receiver.ts'

// biome-ignore lint/suspicious/noExplicitAny: every response is validated against the OpenAPI document
type Json = any

const WHOLE = 'whole.example'
const AWAY = 'away.example'
const TASK = '0b6c1c0e-5d0a-4c58-9d8f-0d9d3f9c7a11'
const ada = hashEmail(`ada@${WHOLE}`).hash
const gone = hashEmail(`gone@${WHOLE}`).hash

let service: TestService
let answers: AnswerServer
let receiver: Receiver
let worker: AsyncDisposable
/** While set, the receiver does not respond. */
let held: Promise<void> | undefined

const get = async (path: string): Promise<Json> => (await service.call<Json>('GET', path)).body
const post = (path: string, body: object, headers = {}) => service.call<Json>('POST', path, { body, headers })
const store = (found: Gathered) => record(service.db, found, { taskId: TASK })

const director = {
  title: 'Director',
  seniority: 'director' as const,
  department: 'operations',
  email: `ada@${WHOLE}`,
  phone: '+12125550100',
  social_url: 'https://social.example/in/ada',
}

beforeAll(async () => {
  service = await startService({ plan: { units_per_period: 1000 } })
  answers = await startAnswerServer()
  receiver = await startReceiver(
    (reply) => void (held ? held.then(() => reply.writeHead(204).end()) : reply.writeHead(204).end()),
  )
  const limits = { people: 25, articles: 10 }
  const providers = [answerProvider(answers.url)]
  worker = startWorkerOn(service, createItemEnricher({ ...service, providers, log: silentLog, limits }))
  const fields = [
    says('website', 'name', 'Whole'),
    says('website', 'legal_name', 'Whole Works LLC'),
    says('website', 'description', 'Makes all of it.'),
    says('website', 'industry', 'Machinery'),
    says('website', 'naics_code', '333248'),
    says('website', 'naics_title', 'All Other Industrial Machinery Manufacturing'),
    says('website', 'employee_count', 40),
    says('website', 'employee_range', '11-50'),
    says('website', 'headquarters_street', '1 Long Lane'),
    says('website', 'headquarters_city', 'Denver'),
    says('website', 'headquarters_state', 'CO'),
    says('website', 'headquarters_postal_code', '80202'),
    says('website', 'headquarters_country', 'United States'),
    says('website', 'phone', '+12125550100'),
    says('website', 'social_url', 'https://social.example/company/whole'),
    says('website', 'logo_url', `https://${WHOLE}/logo.svg`),
    says('website', 'founded_year', 1987),
  ]
  const filed = { title: 'DIRECTOR', method: 'schedule-a', seniority: 'director' as const }
  const people = [shows('website', 'Ada Byron', director), shows('form-adv', 'Ada Byron', filed)]
  const leaver = shows('website', 'Joan Gone', { title: 'Clerk', seniority: 'staff', email: `gone@${WHOLE}` })
  const signals = [tells('website', 'Whole raises $5m')]
  await storeFirms(service.postgres, [
    {
      crd_number: 4711,
      sec_number: '801-4711',
      legal_name: 'WHOLE WORKS LLC',
      region: 'NYRO',
      aum_total_usd: 5,
      website_domain: WHOLE,
    },
  ])
  await store(gathered(WHOLE, { observations: fields, people: [...people, leaver], signals }))
  const moved = fields.map((one) => (one.field === 'name' ? says('website', 'name', 'Whole Works') : one))
  await store(gathered(WHOLE, { observations: moved, people, signals }))
  await store(gathered(AWAY, { groups: ['company'], answers: { website: 'unavailable' } }))
  await addViewer(service.db, service.client.client_id, [AWAY])
})
afterAll(async () => {
  await worker[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await answers[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const company = {
  domain: WHOLE,
  name: 'Whole Works',
  legal_name: 'Whole Works LLC',
  description: 'Makes all of it.',
  industry: 'Machinery',
  naics_code: '333248',
  naics_title: 'All Other Industrial Machinery Manufacturing',
  employee_count: 40,
  employee_range: '11-50',
  headquarters_street: '1 Long Lane',
  headquarters_city: 'Denver',
  headquarters_state: 'CO',
  headquarters_postal_code: '80202',
  headquarters_country: 'United States',
  phone: '+12125550100',
  social_url: 'https://social.example/company/whole',
  logo_url: `https://${WHOLE}/logo.svg`,
  founded_year: 1987,
  in_formadv: true,
  formadv: {
    firm_count: 1,
    crd_numbers: [4711],
    legal_name: 'WHOLE WORKS LLC',
    sec_number: '801-4711',
    region: 'NYRO',
  },
  leadership: [{ full_name: 'Ada Byron', department: 'operations', social_url: director.social_url }],
  signals: [{ type: 'Funding', headline: 'Whole raises $5m', date: '2026-10-31' }],
}

const groups = {
  contact: { email: `ada@${WHOLE}`, phone: director.phone, social_url: director.social_url },
  profile: {
    company_industry: 'Machinery',
    company_employee_count: 40,
    company_city: 'Denver',
    company_state: 'CO',
    company_country: 'United States',
  },
  formadv: { title: 'DIRECTOR', full_name: 'Ada Byron', url: 'https://form-adv.example/team' },
}

describe('a complete company', () => {
  it('returns a complete company with every field', async () => {
    expect(await get(`/v2/companies/${WHOLE}?include=all&include_provenance=true`)).toMatchObject(company)
  })

  it('finds a complete company with every field', async () => {
    const { companies } = await get(`/v2/companies?query=${WHOLE}&include=all`)
    expect(companies).toMatchObject([company])
  })

  it('returns the time at which an unavailable source of a company is retried', async () => {
    const away = { enrichment_status: 'failed', status_reason: expect.any(String), retry_at: expect.any(String) }
    expect(await get(`/v2/companies/${AWAY}`)).toMatchObject(away)
    expect((await get(`/v2/companies?query=${AWAY}`)).companies).toMatchObject([away])
    expect((await get(`/v2/companies/${AWAY}?include_provenance=true`)).sources).toMatchObject([
      { source: 'website', status: 'unavailable', reason: 'website unavailable', failures: 1 },
    ])
  })

  it("returns a company's events with previous values and task IDs", async () => {
    const { events } = await get(`/v2/companies/${WHOLE}/history?field=name&offset=0`)
    expect(events[0]).toMatchObject({ old_value: 'Whole', new_value: 'Whole Works', task_id: TASK })
  })

  it('lists a company on a target account list with its legal name', async () => {
    await post('/v2/clients/me/tal/companies', { domains: [WHOLE] })
    const { companies } = await get('/v2/clients/me/tal/companies?offset=0')
    expect(companies).toMatchObject([{ domain: WHOLE, legal_name: 'Whole Works LLC' }])
  })
})

describe('a complete person', () => {
  it('returns a complete person with every field', async () => {
    const found = await get(`/v2/persons/${ada}?include=all&include_provenance=true`)
    expect(found).toMatchObject({ department: 'operations', social_url: director.social_url, ...groups })
    expect(found.history[0].task_id).toBe(TASK)
    expect((await get(`/v2/persons/${gone}?include=profile`)).profile.left_at).toEqual(expect.any(String))
  })

  it('lists a complete person at the company with every field', async () => {
    const { persons } = await get(`/v2/companies/${WHOLE}/persons?include=all&offset=0`)
    expect(persons).toMatchObject([{ department: 'operations', ...groups, history: expect.anything() }])
  })

  it('finds a complete person with every field', async () => {
    const { persons } = await get(`/v2/persons?company_domain=${WHOLE}&include=all&limit=10&offset=0`)
    expect(persons.find(({ full_name }: Json) => full_name === 'Ada Byron')).toMatchObject(groups)
  })

  it("returns a person's history with paging, field and since", async () => {
    const history = `/v2/persons/${ada}/history`
    const [first] = (await get(`${history}?order=asc&limit=1&offset=0`)).events
    expect(first).toMatchObject({ entity: 'person', key: ada, task_id: TASK })
    expect((await get(`${history}?field=title&since=${first.changed_at}`)).events).toHaveLength(1)
  })
})

describe('a task', () => {
  const result = async (path: string, body: object) => {
    const { task_id } = (await post(path, body)).body
    return await eventually('the task ends', async () => {
      const { output_data } = await get(`/v2/tasks/${task_id}/result`)
      return output_data
    })
  }

  it('a task returns the enriched person with every field', async () => {
    const { persons } = await result('/v2/enrich/person', { email: `ada@${WHOLE}`, force: true })
    expect(persons).toMatchObject([{ person: { department: 'operations', social_url: director.social_url } }])
  })

  it('a task returns why a company has no signals', async () => {
    answers.known.set('nobody.example', { status: 404 })
    const { signals } = await result('/v2/discover/signals', { domains: ['nobody.example'] })
    expect(signals).toMatchObject([{ domain: 'nobody.example', reason: expect.any(String) }])
  })

  it('returns a task with every field and a delivery with every field', async () => {
    const reply = await post('/v2/enrich/company', { domain: 'told.example', callback_url: receiver.url })
    const task = await eventually('the task ends', async () => {
      const found = await get(`/v2/tasks/${reply.body.task_id}`)
      return found.status === 'completed' && found
    })
    expect(task).toMatchObject({ task_type: 'enrich_company', progress: 1, units_charged: 1, units_refunded: 0 })
    const delivery = await eventually('the notification arrives', async () => {
      const { deliveries } = await get(`/v2/webhooks/deliveries?task_id=${task.id}&limit=1`)
      return deliveries[0]?.status === 'delivered' && deliveries[0]
    })
    expect(delivery).toMatchObject({ url: receiver.url, attempts: [{ status: 204 }] })
    expect((await post(`/v2/webhooks/deliveries/${delivery.id}/replay`, {})).body).toEqual({
      id: delivery.id,
      status: 'pending',
    })
    await eventually('it arrives again', async () => receiver.received.length === 2)
  })

  it('returns a delivery with the error of a failed attempt', async () => {
    const { body } = await post('/v2/enrich/company', { domain: 'deaf.example', callback_url: 'http://127.0.0.1:1/' })
    const [attempt] = await eventually('an attempt is made', async () => {
      const { deliveries } = await get(`/v2/webhooks/deliveries?task_id=${body.task_id}`)
      return deliveries[0]?.attempts.length > 0 && deliveries[0].attempts
    })
    expect(attempt).toMatchObject({ error: expect.any(String) })
  })

  it('refuses to replay a delivery while it is pending', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    const { body } = await post('/v2/enrich/company', { domain: 'held.example', callback_url: receiver.url })
    const [delivery] = await eventually('a delivery is under way', async () => {
      const { deliveries } = await get(`/v2/webhooks/deliveries?task_id=${body.task_id}`)
      return deliveries[0]?.status === 'pending' && deliveries
    })
    expect(delivery.next_attempt_at).toEqual(expect.any(String))
    expect(await post(`/v2/webhooks/deliveries/${delivery.id}/replay`, {})).toMatchObject({ status: 409 })
    held = undefined
    resolve()
  })
})

/** A paid request body for each operation. */
const SUBMISSIONS: Record<string, object> = {
  '/v2/enrich/company': { domain: 'paid.example' },
  '/v2/enrich/person': { email: 'jo@paid.example' },
  '/v2/enrich/batch': { domains: ['paid.example'], emails: ['jo@paid.example'] },
  '/v2/search/leadership': { domains: ['paid.example'], max_per_company: 1, enrich_via_social: false },
  '/v2/discover/signals': { domains: ['paid.example'], max_articles_per_company: 1 },
  '/v2/clients/me/tal/enrich': { force: true, max_age_days: 1, dry_run: false },
}

describe.each(Object.entries(SUBMISSIONS))('POST %s', (path, body) => {
  it('every paid operation accepts an Idempotency-Key and, where documented, a callback_url', async () => {
    const told = /company|leadership|signals/.test(path) ? { callback_url: receiver.url } : {}
    const headers = { 'idempotency-key': path }
    const first = await post(path, { ...body, ...told }, headers)
    expect(first).toMatchObject({ status: 200, body: { units_charged: expect.any(Number) } })
    expect((await post(path, { ...body, ...told }, headers)).body).toEqual(first.body)
  })

  it('every paid operation responds 402 to a client without units', async () => {
    const poor = await service.addCaller({ units_per_period: 0 })
    await poor.call('POST', '/v2/clients/me/tal/companies', { body: { domains: ['poor.example'] } })
    const dear = JSON.stringify(body).replaceAll('paid.example', 'poor.example')
    expect(await poor.call('POST', path, { body: JSON.parse(dear) })).toMatchObject({
      status: 402,
      body: { code: 'insufficient_units', detail: expect.stringContaining('0 available') },
    })
  })
})
