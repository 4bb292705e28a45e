import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../src/client/index.ts'
import { ConnectionError, createClient } from '../../../src/client/index.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
let talhouse: Client
beforeAll(async () => {
  service = await startService()
  await service.db
    .insertInto('company')
    .values({ domain: 'quillmere.example', name: 'Quillmere Anchor Capital', employee_count: 12, is_public: true })
    .execute()
  talhouse = createClient({ baseUrl: service.url, apiKey: service.key })
})
afterAll(() => service[Symbol.asyncDispose]())

const FILE = 'Company,Website,Owner\nQuillmere Anchor Capital LLC,,José\n,new.example,Li\n'

describe('match.companies', () => {
  it('match.companies returns the candidates of each company in order', async () => {
    const { matches } = await talhouse.match.companies({
      companies: [{ name: 'Unheard-of Zyzzyva Works' }, { name: 'Quillmere Anchor Capital, LLC' }],
    })
    expect(matches.map(({ status, candidates }) => [status, candidates[0]?.domain])).toEqual([
      ['no_match', undefined],
      ['matched', 'quillmere.example'],
    ])
  })
})

describe('tal.import', () => {
  it('tal.import previews a file given as text, and adds the companies from a file in another encoding', async () => {
    expect(await talhouse.tal.import(FILE, { dry_run: true })).toMatchObject({ dry_run: true, matched: 2, added: 0 })
    const bytes = new Uint8Array(Buffer.from(FILE, 'latin1'))
    expect(await talhouse.tal.import(bytes, { source: 'crm' })).toMatchObject({ matched: 2, added: 2 })
    const { companies } = await talhouse.tal.list({ source: 'crm' })
    expect(companies.map(({ domain, attributes }) => [domain, attributes['Owner']])).toEqual([
      ['new.example', 'Li'],
      ['quillmere.example', 'José'],
    ])
  })

  it('tal.import throws the error of a file without usable columns', async () => {
    await expect(talhouse.tal.import('A,B\n1,2\n')).rejects.toMatchObject({ status: 422, code: 'unprocessable' })
  })
})

describe('tal.export', () => {
  it('tal.export returns the list as CSV with the chosen fields', async () => {
    await talhouse.tal.import(FILE)
    const csv = await talhouse.tal.export({ fields: ['name', 'employee_count'], include_provenance: false })
    const rows = csv.replace('\ufeff', '').trim().split('\r\n')
    expect(rows[0]).toBe('domain,Owner,Company,name,employee_count')
    expect(rows[2]).toBe('quillmere.example,José,Quillmere Anchor Capital LLC,Quillmere Anchor Capital,12')
  })

  it("tal.export throws instead of returning a proxy's HTML page as the list", async () => {
    const proxied = createClient({
      baseUrl: 'https://enrich.example',
      retry: { attempts: 1 },
      fetch: async () => new Response('<html>sign in</html>', { headers: { 'content-type': 'text/html' } }),
    })
    const error = await proxied.tal.export().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({
      message: 'GET /v2/clients/me/tal/export returned 200 with text/html instead of text/csv.',
    })
  })
})
