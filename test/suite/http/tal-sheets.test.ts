import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestCaller, TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'

// biome-ignore lint/suspicious/noExplicitAny: every response is validated against the OpenAPI document
type Json = any

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.db
    .insertInto('company')
    .values([
      { domain: 'quillmere.example', name: 'Quillmere Anchor Capital', employee_count: 12, is_public: true },
      { domain: 'brackenfold.example', name: 'Brackenfold Beacon Partners', is_public: true },
    ])
    .execute()
})
afterAll(() => service[Symbol.asyncDispose]())

const FILE = [
  'Company,Website,Owner',
  'Quillmere Anchor Capital LLC,,"Jane, Ann"',
  ',https://new.example/about,=1+1',
  'Unheard-of Zyzzyva Works,,',
  ',,',
  ',quillmere.example,Bob',
  'Brackenfold Beacon Partners,quillmere.example,',
  ',n/a,',
].join('\n')

const importFile = (caller: TestCaller, query: string, body = FILE, headers = {}) =>
  caller.call<Json>('POST', `/v2/clients/me/tal/import${query}`, {
    body,
    headers: { 'content-type': 'text/csv', ...headers },
  })
const listOf = async (caller: TestCaller) =>
  (await caller.call<Json>('GET', '/v2/clients/me/tal/companies')).body.companies

describe('POST /v2/clients/{client_id}/tal/import', () => {
  it('previews the import of a list without adding companies', async () => {
    const caller = await service.addCaller()
    const { status, body } = await importFile(caller, '?dry_run=true')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        dry_run: true,
        columns: { domain: 'Website', name: 'Company' },
        attributes: ['Company', 'Owner'],
        rows: 7,
        matched: 3,
        doubtful: 1,
        unknown: 2,
        blank: 1,
        duplicates: 1,
        added: 0,
      },
    })
    expect(
      body.results.map(({ row, status, domain, duplicate_of }: Json) => [row, status, domain, duplicate_of]),
    ).toEqual([
      [2, 'matched', 'quillmere.example', null],
      [3, 'matched', 'new.example', null],
      [4, 'unknown', null, null],
      [5, 'blank', null, null],
      [6, 'matched', 'quillmere.example', 2],
      [7, 'doubtful', 'quillmere.example', null],
      [8, 'unknown', null, null],
    ])
    expect(body.results.map(({ given }: Json) => given)).toEqual([
      'Quillmere Anchor Capital LLC',
      'https://new.example/about',
      'Unheard-of Zyzzyva Works',
      null,
      'quillmere.example',
      'Brackenfold Beacon Partners, quillmere.example',
      'n/a',
    ])
    expect(body.results[5].reason).toContain('The name matches Brackenfold Beacon Partners (brackenfold.example)')
    expect(body.results[6].reason).toContain('"n/a"')
    expect(await listOf(caller)).toEqual([])
  })

  it('an import adds the matched companies with their columns as attributes', async () => {
    const caller = await service.addCaller()
    expect((await importFile(caller, '?source=crm')).body).toMatchObject({ dry_run: false, added: 2, updated: 0 })
    expect(await listOf(caller)).toMatchObject([
      { domain: 'new.example', source: 'crm', attributes: { Owner: '=1+1' } },
      { domain: 'quillmere.example', attributes: { Company: 'Quillmere Anchor Capital LLC', Owner: 'Jane, Ann' } },
    ])
    expect((await importFile(caller, '')).body).toMatchObject({ added: 0, updated: 0 })
  })

  it('refuses to import an empty body, another format, and a file without usable columns', async () => {
    expect(await importFile(service, '', 'A,B\n1,2\n')).toMatchObject({ status: 422 })
    expect(await importFile(service, '', '')).toMatchObject({ status: 422 })
    expect(await importFile(service, '?domain_column=Url')).toMatchObject({ status: 422 })
    expect(await importFile(service, '', '{}', { 'content-type': 'application/json' })).toMatchObject({ status: 422 })
    const long = `domain\n${Array.from({ length: 2001 }, (_, index) => `c${index}.example`).join('\n')}\n`
    expect((await importFile(service, '', long)).body.detail).toContain('send at most 2000')
  })
})

describe('GET /v2/clients/{client_id}/tal/export', () => {
  const exported = async (caller: TestCaller, query = '') =>
    (await caller.call<string>('GET', `/v2/clients/me/tal/export${query}`)).body as unknown as string

  it('an export returns the imported columns in the order of the latest file, followed by older columns', async () => {
    const caller = await service.addCaller()
    const headingAfter = async (file: string) => {
      await importFile(caller, '', file)
      return (await exported(caller, '?fields=legal_name')).split('\r\n')[0]
    }
    expect(await headingAfter('Website,Owner,Tier,Account number\nnew.example,Kim,A,7')).toBe(
      'domain,Owner,Tier,Account number,legal_name',
    )
    expect(await headingAfter('Website,Account number,Owner\nnew.example,8,Kim')).toBe(
      'domain,Account number,Owner,Tier,legal_name',
    )
  })

  it('an import forgets the order of removed columns', async () => {
    const caller = await service.addCaller()
    const set = (attributes: Record<string, string | null>) =>
      caller.call('POST', '/v2/clients/me/tal/companies', {
        body: { entries: [{ domain: 'new.example', attributes }] },
      })
    await set({ Owner: 'Kim', Tier: 'A' })
    await set({ Owner: null, Region: null, Size: 'S' })
    expect(
      await service.db
        .selectFrom('tal_member')
        .select('attribute_order')
        .where('client_id', '=', caller.client.client_id)
        .execute(),
    ).toEqual([{ attribute_order: ['Size', 'Tier'] }])
  })

  it('an export contains the attributes and the chosen fields, with formulas escaped', async () => {
    const caller = await service.addCaller()
    await importFile(caller, '')
    expect(await exported(caller, '?fields=name,employee_count')).toBe(
      [
        'domain,Owner,Company,name,employee_count',
        "new.example,'=1+1,,,",
        'quillmere.example,"Jane, Ann",Quillmere Anchor Capital LLC,Quillmere Anchor Capital,12',
        '',
      ].join('\r\n'),
    )
    expect((await caller.call('GET', '/v2/clients/me/tal/export?fields=shoe_size')).status).toBe(400)
  })

  it('an export adds source and confidence on request', async () => {
    const caller = await service.addCaller()
    await storeFirms(service.postgres, [
      { crd_number: 901, sec_number: '801-901', legal_name: 'ORRERY WHARF LLC', website_domain: 'orrery.example' },
    ])
    await caller.call('POST', '/v2/clients/me/tal/companies', { body: { domains: ['orrery.example'] } })
    const [heading, row] = (await exported(caller, '?fields=legal_name&include_provenance=true')).split('\r\n')
    expect(heading).toBe('domain,legal_name,legal_name_source,legal_name_confidence')
    expect(row).toMatch(/^orrery\.example,ORRERY WHARF LLC,form-adv,0\.\d+$/)
  })
})
