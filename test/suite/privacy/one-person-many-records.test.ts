import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listAudit } from '../../../src/audit/audit-log.ts'
import type { Gathered } from '../../../src/findings/gather.ts'
import type { ErasureReport } from '../../../src/privacy/erase-person.ts'
import { erasePerson } from '../../../src/privacy/erase-person.ts'
import { liftSuppression, listErasures } from '../../../src/privacy/erasures.ts'
import { exportPerson } from '../../../src/privacy/export-person.ts'
import { parseDescription } from '../../../src/privacy/person-description.ts'
import { TEST_ACTOR } from '../../helpers/clients.ts'
import { gathered, record, says, shows, tells } from '../../helpers/findings.ts'
import { placesHolding } from '../../helpers/search-database.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

const PROFILE = 'https://network.example/in/zelda-quux'

let service: TestService
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service[Symbol.asyncDispose]())

const store = (found: Gathered) => record(service.db, found)
const show = (domain: string, ...people: Parameters<typeof shows>[]) =>
  store(gathered(domain, { people: people.map((person) => shows(...person)) }))
const erase = (person: string, company?: string): Promise<ErasureReport> =>
  erasePerson(service.db, parseDescription(person, company), { actor: TEST_ACTOR })
const submit = async (path: string, body: object, key?: string): Promise<void> => {
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  expect((await service.call('POST', path, { body, headers })).status).toBe(200)
}

/** Stores a person at two companies, with three spellings of the name, and two records because the address changed. */
async function storeZelda(): Promise<void> {
  await show('acme.example', ['website', 'Zelda Quux', { email: 'zq@acme.example', social_url: PROFILE }])
  await show('acme.example', ['news', 'Zelda Quux', { email: 'zelda.quux@acme.example' }])
  await show('other.example', ['website', 'Zélda A. Quux', { social_url: PROFILE, phone: '+1 555 0100' }])
  await store(
    gathered('acme.example', {
      observations: [says('website', 'description', 'Acme was founded by Dr. Zelda Quux in 1990.')],
      signals: [
        tells('news', 'Acme names a chair', { about: 'Zelda Quux takes the chair' }),
        tells('news', 'A new chair', { url: 'https://news.example/2026/zelda-quux-chairs-acme' }),
        tells('news', 'Acme raises $5m'),
      ],
    }),
  )
  await submit(
    '/v2/enrich/person',
    { full_name: 'ZELDA QUUX', company_domain: 'acme.example' },
    'enrich:zq@acme.example',
  )
  await submit('/v2/enrich/person', { full_name: 'Dr Zëlda B. Quux', company_domain: 'acme.example' })
  await submit('/v2/enrich/person', { social_url: 'network.example/in/Zelda-Quux/' })
  const callback_url = 'https://hooks.example/done?for=zq%40acme.example'
  await submit('/v2/enrich/company', { domain: 'birch.example', callback_url })
}

const NAMES = ['zelda', 'zélda', 'zëlda', 'quux', 'zq@', 'zq%40', '555 0100']
const remains = async (): Promise<string[]> =>
  (await Promise.all(NAMES.map((name) => placesHolding(service.db, name)))).flat()

describe('a person with several records', () => {
  beforeEach(storeZelda)

  it.each([
    ['the first address', 'zq@acme.example', undefined],
    ['the new address', 'Zelda.Quux@acme.example', undefined],
    ['the profile', 'http://www.network.example/in/Zelda-Quux/', undefined],
    ['name and company', 'zelda quux', 'https://acme.example/'],
    ['name and the other company', 'Zelda Quux', 'other.example'],
  ])('erases a person with several records completely by %s', async (_, person, company) => {
    expect((await remains()).length).toBeGreaterThan(10)
    await erase(person, company)
    expect(await remains()).toEqual([])
    const rows = await service.db.selectFrom('signal').select('headline').execute()
    expect(rows).toEqual([{ headline: 'Acme raises $5m' }])
    const { description } = await service.db
      .selectFrom('company')
      .select('description')
      .where('domain', '=', 'acme.example')
      .executeTakeFirstOrThrow()
    expect(description).toBe('Acme was founded by [erased] in 1990.')
  })

  it('does not store an erased person again under any spelling, in news or in a description', async () => {
    await erase('zq@acme.example')
    await storeZeldaAgain()
    expect((await remains()).filter((place) => !place.startsWith('task'))).toEqual([])
  })

  it('exports a person with several records with all stored data', async () => {
    const { rows } = await exportPerson(service.db, parseDescription(PROFILE), TEST_ACTOR)
    expect(Object.keys(rows)).toEqual(
      expect.arrayContaining([
        'person',
        'person_observation',
        'history_event',
        'signal',
        'company',
        'task_item',
        'task',
      ]),
    )
    expect(rows['person']).toHaveLength(3)
    const text = JSON.stringify(rows)
    for (const fact of ['zq@acme.example', 'zelda.quux@acme.example', '+1 555 0100', 'ZELDA QUUX'])
      expect(text).toContain(fact)
    await erase(PROFILE)
    const { rows: left } = await exportPerson(service.db, parseDescription(PROFILE), TEST_ACTOR)
    expect(left).toEqual({})
  })

  it('an erasure leaves no clear text in the audit log and the list of erasures', async () => {
    const { erasure_id } = await erase('zq@acme.example')
    await exportPerson(service.db, parseDescription('zq@acme.example'), TEST_ACTOR)
    const listed = await listErasures(service.db, TEST_ACTOR, { person: { email: 'zq@acme.example' }, limit: 10 })
    expect(listed).toMatchObject([{ erasure_id, lifted_at: null, actor: 'user:test' }])
    const byOther = { person: { email: 'bob@acme.example' }, limit: 10 }
    expect(await listErasures(service.db, TEST_ACTOR, byOther)).toEqual([])
    const entries = await listAudit(service.db, { action: 'person', limit: 10 })
    expect(entries.map(({ action }) => action)).toEqual([
      'person.list_suppressed',
      'person.list_suppressed',
      'person.export',
      'person.erase',
    ])
    expect(entries.at(-1)).toMatchObject({ target: `erasure:${erasure_id}`, details: { person: 3 } })
  })

  it('may store an erased person again after the suppression is lifted', async () => {
    const { erasure_id } = await erase('zq@acme.example')
    const before = await service.call<Feed>('GET', '/v2/privacy/erasures')
    expect(before.body.erasures).toMatchObject([{ erasure_id, lifted_at: null }])
    expect(before.body.erasures[0]?.macs.length).toBeGreaterThan(5)
    const lifted = await liftSuppression(service.db, erasure_id as number, TEST_ACTOR)
    expect(lifted.lifted_at).not.toBeNull()
    await expect(liftSuppression(service.db, erasure_id as number, TEST_ACTOR)).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(liftSuppression(service.db, 99, TEST_ACTOR)).rejects.toMatchObject({ code: 'not_found' })
    const after = await service.call<Feed>('GET', `/v2/privacy/erasures?since=${before.body.erasures[0]?.position}`)
    expect(after.body.erasures).toMatchObject([{ erasure_id, macs: [], lifted_at: lifted.lifted_at }])
    await show('acme.example', ['website', 'Zelda Quux', { email: 'zq@acme.example' }])
    expect(await placesHolding(service.db, 'zq@acme.example')).not.toEqual([])
  })
})

interface Feed {
  erasures: { erasure_id: number; position: number; macs: string[]; lifted_at: string | null }[]
}

async function storeZeldaAgain(): Promise<void> {
  await show('acme.example', ['website', 'Quux Z.', { email: 'ZQ@acme.example' }])
  await show('third.example', ['website', 'Someone', { social_url: PROFILE }])
  await store(
    gathered('acme.example', {
      observations: [says('website', 'description', 'Zelda Quux founded Acme.', { raw: 'Zelda Quux founded Acme.' })],
      signals: [tells('news', 'Chair', { about: 'Dr. Zelda A. Quux retires' })],
    }),
  )
}

describe('an erasure', () => {
  it('an erasure keeps other people who share the mailbox, or share the name at another company', async () => {
    await show(
      'acme.example',
      ['website', 'Ann Stone', { email: 'office@acme.example' }],
      ['website', 'Bob Reed', { email: 'office@acme.example' }],
    )
    await show('namesake.example', ['website', 'Ann Stone', { email: 'ann@namesake.example' }])
    await submit('/v2/enrich/person', { full_name: 'Ann Stone', company_domain: 'namesake.example' })
    await erase('Ann Stone', 'acme.example')
    const rows = await service.db.selectFrom('person').select(['full_name', 'email']).orderBy('full_name').execute()
    expect(rows).toEqual([
      { full_name: 'Ann Stone', email: 'ann@namesake.example' },
      { full_name: 'Bob Reed', email: 'office@acme.example' },
    ])
    expect(await placesHolding(service.db, 'Ann Stone')).toEqual(
      expect.arrayContaining(['person.full_name', 'task.input', 'task_item.input']),
    )
  })

  it('an erasure over HTTP accepts any description, reports places without client data, and refuses incomplete descriptions', async () => {
    await storeZelda()
    const body = { full_name: 'Zelda Quux', company_domain: 'acme.example' }
    const dry = await service.call('POST', '/v2/privacy/erasures', { body: { ...body, dry_run: true } })
    expect(dry).toMatchObject({ status: 200, body: { erasure_id: null } })
    expect((await remains()).length).toBeGreaterThan(10)
    const reply = await service.call<ErasureReport>('POST', '/v2/privacy/erasures', { body })
    expect(reply.body.places).toContainEqual({ table: 'person', rows: 3, removal: 'delete' })
    expect(JSON.stringify(reply.body)).not.toContain('task')
    expect(await remains()).toEqual([])
    for (const wrong of [
      {},
      { full_name: 'Zelda Quux' },
      { email: 'a@b.example', email_hash: 'a'.repeat(16) },
      { email: 'x' },
    ])
      expect(await service.call('POST', '/v2/privacy/erasures', { body: wrong }), JSON.stringify(wrong)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      })
  })
})
