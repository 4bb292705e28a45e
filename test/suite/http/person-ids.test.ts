import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Gathered } from '../../../src/findings/gather.ts'
import { gathered, record, shows } from '../../helpers/findings.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: every response is validated against the OpenAPI document
type Json = any

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const store = (found: Gathered) => record(service.db, found)
const get = (path: string) => service.call<Json>('GET', path)
const peopleOf = async (domain: string): Promise<Json[]> => (await get(`/v2/companies/${domain}/persons`)).body.persons

describe('person_id', () => {
  it('person_id identifies a person without an email address', async () => {
    const domain = 'no-address.example'
    await store(gathered(domain, { people: [shows('website', 'Ann Lee', { title: 'CFO', seniority: 'executive' })] }))
    const [{ person_id, email_hash }] = await peopleOf(domain)
    expect(email_hash).toBeNull()
    const { status, body } = await get(`/v2/persons/${person_id}?include=all&include_provenance=true`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ person_id, full_name: 'Ann Lee', provenance: { title: { source: 'website' } } })
    const { body: history } = await get(`/v2/persons/${person_id}/history`)
    expect(history.events).toContainEqual(expect.objectContaining({ field: 'title', person_id, kind: 'created' }))
    const { body: found } = await get('/v2/persons?query=Ann+Lee')
    expect(found.persons).toEqual([expect.objectContaining({ person_id })])
    const { body: company } = await get(`/v2/companies/${domain}?include=leadership`)
    expect(company.leadership).toEqual([
      expect.objectContaining({ person_id, source: 'website', confidence: expect.any(Number) }),
    ])
  })

  it('person_id survives a changed address on the same page', async () => {
    const domain = 'changed.example'
    const bo = (email: string) =>
      gathered(domain, { people: [shows('website', 'Bo Ek', { title: 'CEO', seniority: 'executive', email })] })
    await store(bo('bo@changed.example'))
    const [before] = await peopleOf(domain)
    await store(bo('bo.ek@changed.example'))
    const after = await peopleOf(domain)
    expect(after).toEqual([expect.objectContaining({ person_id: before.person_id, email: 'bo.ek@changed.example' })])
    const { body } = await get(`/v2/persons/${before.person_id}/history?field=email`)
    expect(body.events).toMatchObject([
      { kind: 'updated', old_value: 'bo@changed.example', new_value: 'bo.ek@changed.example' },
      { kind: 'created' },
    ])
    const latest = { old_value: 'bo@changed.example' }
    for (const path of [
      `/v2/companies/${domain}/persons`,
      '/v2/persons?query=Bo+Ek',
      `/v2/persons/${before.person_id}`,
    ]) {
      const reply = await get(`${path}${path.includes('?') ? '&' : '?'}include=history`)
      expect((reply.body.persons?.[0] ?? reply.body).history).toContainEqual(expect.objectContaining(latest))
    }
  })

  it('person_id distinguishes people with the same name and different published addresses', async () => {
    const domain = 'namesakes.example'
    const jo = (email: string) => shows('website', 'Jo Roe', { email })
    await store(gathered(domain, { people: [jo('jo@namesakes.example')] }))
    await store(gathered(domain, { people: [jo('jo2@namesakes.example'), jo('jo@namesakes.example')] }))
    expect(await peopleOf(domain)).toHaveLength(2)
  })

  it('erases a person without an email address by person_id and suppresses the name at the company', async () => {
    const domain = 'erased.example'
    const seen = gathered(domain, { people: [shows('website', 'Cy Fox')] })
    await store(seen)
    const [{ person_id }] = await peopleOf(domain)
    const { body } = await service.call<Json>('DELETE', `/v2/persons/${person_id}`)
    expect(body).toMatchObject({ email_hash: null, persons: 1 })
    await store(seen)
    expect(await peopleOf(domain)).toEqual([])
    expect((await get(`/v2/persons/${person_id}`)).status).toBe(404)
    expect((await service.call('DELETE', `/v2/persons/${person_id}`)).status).toBe(404)
  })
})

describe('leadership ranking', () => {
  it('lists the head of the company first in every list of leaders', async () => {
    const domain = 'ranked.example'
    const person = (full_name: string, title: string) => shows('website', full_name, { title, seniority: 'executive' })
    await store(
      gathered(domain, {
        people: [
          person('Al Cio', 'Chief Information Officer'),
          person('Bea Vice', 'Executive Vice President'),
          person('Cal Coo', 'Chief Operating Officer'),
          person('Zoe Head', 'Founder & Chief Executive Officer'),
          person('Yan Pres', 'President'),
        ],
      }),
    )
    const order = ['Zoe Head', 'Yan Pres']
    const names = (people: Json[]) => people.slice(0, 2).map(({ full_name }) => full_name)
    expect(names(await peopleOf(domain))).toEqual(order)
    const { body } = await get(`/v2/companies/${domain}?include=leadership`)
    expect(names(body.leadership)).toEqual(order)
  })
})
