import { describe, expect, it } from 'vitest'
import { hashEmail } from '../../../src/personal-data/email-hash.ts'
import { gathered, record, shows } from '../../helpers/findings.ts'
import type { Json } from '../../helpers/service-with-records.ts'
import { JANE, serveRecords } from '../../helpers/service-with-records.ts'

const records = serveRecords()
const { get } = records

describe('history', () => {
  it('pages the changes of a company by since with microseconds and without duplicates', async () => {
    const { body } = await get('/v2/companies/acme.example/history')
    expect(body).toMatchObject({ limit: 50, offset: 0 })
    expect(body.events.map(({ key }: Json) => key)).toEqual([
      'acme.example',
      'acme.example',
      'acme.example',
      'acme.example',
    ])
    const since = body.events[1].changed_at
    expect(since).toMatch(/\.\d{6}Z$/)
    expect((await get(`/v2/companies/acme.example/history?since=${since}`)).body.events).toEqual([body.events[0]])
    // Python's isoformat in an unencoded URL: the + arrives as a space.
    const offset = since.replace('Z', '+00:00')
    expect((await get(`/v2/companies/acme.example/history?since=${offset}`)).body.events).toEqual([body.events[0]])
    expect((await get(`/v2/companies/acme.example/history?field=name`)).body.events).toMatchObject([
      { new_value: 'Acme Capital' },
    ])
    expect((await get('/v2/companies/acme.example/history?order=asc&limit=1')).body.events).toEqual([body.events[3]])
  })

  it('returns the history of a person', async () => {
    const { body } = await get(`/v2/persons/${JANE}/history?order=asc`)
    expect(body.events[0]).toMatchObject({
      entity: 'person',
      key: JANE,
      field: 'full_name',
      old_value: null,
      new_value: 'Jane Roe',
    })
  })

  it.each([
    ['/v2/companies/unknown.example/history', 404],
    ['/v2/persons/0000000000000000/history', 404],
    ['/v2/companies/acme.example/history?since=yesterday', 400],
    ['/v2/companies/acme.example/history?limit=201', 400],
    ['/v2/companies/acme.example/history?order=up', 400],
  ])('responds to %s with %i', async (path, status) => {
    expect((await get(path)).status).toBe(status)
  })
})

describe('history fields', () => {
  it.each([
    '/v2/companies/acme.example/history',
    `/v2/persons/${JANE}/history`,
  ])('responds 422 to an unknown field of %s', async (path) => {
    const reply = await get(`${path}?field=nothing`)
    expect(reply).toMatchObject({ status: 422, body: { errors: [{ path: 'field' }] } })
  })

  it('returns history timestamps with microseconds', async () => {
    const domain = 'leaving.example'
    await record(
      records.service.db,
      gathered(domain, { people: [shows('website', 'Ann Lee', { email: 'ann@leaving.example' })] }),
    )
    await record(records.service.db, gathered(domain, { people: [shows('website', 'Bo Ek')] }))
    const { body } = await get(`/v2/persons/${hashEmail('ann@leaving.example').hash}/history?field=left_at`)
    expect(body.events).toEqual([
      expect.objectContaining({ new_value: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) }),
    ])
  })
})
