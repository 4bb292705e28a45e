import { gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({
    routes: (app) => {
      const Body = Type.Object(
        {
          domains: Type.Array(Type.String(), { maxItems: 3 }),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 25 })),
          force: Type.Optional(Type.Boolean()),
          kind: Type.Optional(Type.Enum(['a', 'b'])),
          filter: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
        },
        { additionalProperties: false },
      )
      const Query = Type.Object(
        {
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
          on: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false },
      )
      app.post('/probe', { schema: { hide: true, body: Body } }, ({ body }) => body)
      app.get('/probe', { schema: { hide: true, querystring: Query } }, ({ query }) => query)
    },
  })
})
afterAll(() => service[Symbol.asyncDispose]())

const post = (body: unknown, headers: Record<string, string> = {}) => service.call('POST', '/probe', { body, headers })

describe('a body', () => {
  it('fills absent fields of a body with their defaults', async () => {
    expect(await post({ domains: [] })).toMatchObject({ status: 200, body: { domains: [], limit: 25 } })
  })

  it.each([
    ['an unknown field', { domains: [], colour: 1 }, '/colour', 'is not allowed'],
    ['a missing field', {}, '/domains', 'is required'],
    ['a number in text: nothing is coerced', { domains: [], limit: '5' }, '/limit', 'must be integer'],
    ['a text for a list', { domains: 'a.example' }, '/domains', 'must be array'],
    ['a flag in text', { domains: [], force: 'true' }, '/force', 'must be boolean'],
    ['a limit above the maximum', { domains: [], limit: 51 }, '/limit', 'must be <= 50'],
    ['a limit of 0', { domains: [], limit: 0 }, '/limit', 'must be >= 1'],
    ['a number with a fraction', { domains: [], limit: 1.5 }, '/limit', 'must be integer'],
    ['null', { domains: null }, '/domains', 'must be array'],
    ['too many items', { domains: ['a', 'b', 'c', 'd'] }, '/domains', 'must NOT have more than 3 items'],
    ['a value that is not among those known', { domains: [], kind: 'c' }, '/kind', 'must be one of a, b'],
    ['neither of two types', { domains: [], filter: 5 }, '/filter', 'must be string or array'],
    ['a list instead of an object', [], '', 'must be object'],
  ])('refuses a body with %s', async (_, body, path, message) => {
    const reply = await post(body)
    expect(reply).toMatchObject({ status: 422, body: { code: 'unprocessable' } })
    expect(reply.body['errors']).toContainEqual({ path, message })
    expect(reply.body['detail']).toContain(message)
  })

  it('reports all errors of a body in one response, at most twenty', async () => {
    expect((await post({ domains: 1, limit: 99, colour: 1 })).body['errors']).toHaveLength(3)
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, number) => [`field${number}`, 1]))
    expect((await post({ domains: [], ...many })).body['errors']).toHaveLength(20)
  })

  it.each([
    ['is not JSON', '{', 400, 'invalid_request'],
    ['is empty', '', 400, 'invalid_request'],
    ['sets a prototype', '{"__proto__":{"a":1},"domains":[]}', 400, 'invalid_request'],
    ['is nested deeply', '['.repeat(100_000) + ']'.repeat(100_000), 422, 'unprocessable'],
    ['is nested too deeply', `{"domains":${'['.repeat(17)}${']'.repeat(17)}}`, 422, 'unprocessable'],
    ['has too many values', `{"domains":[${'1,'.repeat(60_000)}1]}`, 422, 'unprocessable'],
    ['holds NUL', '{"domains":["a\\u0000b"]}', 422, 'unprocessable'],
    ['contains an unpaired surrogate', '{"domains":["\\ud800"]}', 422, 'unprocessable'],
    ['is 10 MB long', `"${'x'.repeat(10_000_000)}"`, 413, 'body_too_large'],
  ])('refuses a body that %s', async (_, body, status, code) => {
    const reply = await post(body)
    expect(reply).toMatchObject({ status, body: { code, detail: expect.stringMatching(/\.$/) } })
  })

  it('rejects a compressed body and a body that is not UTF-8', async () => {
    const send = async (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
      const reply = await fetch(`${service.url}/probe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
      return { status: reply.status, body: await reply.json() }
    }
    const latin1 = Uint8Array.from(Buffer.from('{"domains":["Ren\u00e9"]}', 'latin1'))
    expect(await send(latin1)).toMatchObject({ status: 400, body: { detail: 'The body is not valid UTF-8.' } })
    const packed = Uint8Array.from(gzipSync('{"domains":[]}'))
    expect(await send(packed, { 'content-encoding': 'gzip' })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type', detail: expect.stringContaining('Content-Encoding') },
    })
  })

  it('refuses a body that is not JSON', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense'])
      expect(await post('a=b', { 'content-type': type })).toMatchObject({
        status: 415,
        body: { code: 'unsupported_media_type' },
      })
    expect((await post({ domains: [] }, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200)
  })
})

describe('control characters in a body', () => {
  it('removes control characters from values of a body', async () => {
    const body = { label: 'ops\u0007 team', scopes: ['read'] }
    expect((await service.call('POST', '/v2/keys', { body })).body).toMatchObject({ label: 'ops team' })
  })

  it.each([
    ['hide a text that is too long', '/v2/keys', { label: `${'x'.repeat(100)}\u0007`, scopes: ['read'] }],
    ['are all of a required text', '/v2/keys', { label: '\u0007', scopes: ['read'] }],
    ['are all of a list of names', '/v2/companies/batch-read', { domains: ['a.example'], include: '\u0084' }],
  ])('rejects control characters in a body if they %s', async (_, path, body) => {
    expect(await service.call('POST', path, { body })).toMatchObject({ status: 422, body: { code: 'unprocessable' } })
  })
})

describe('a query', () => {
  it('coerces a query to the types of its schema', async () => {
    expect((await service.call('GET', '/probe?limit=7&on=true')).body).toEqual({ limit: 7, on: true })
  })

  it.each([
    'limit=ten',
    'limit=',
    'limit=1.5',
    'limit=201',
    'limit=0',
    'limit=1&limit=2',
    'on=perhaps',
    'colour=1',
  ])('refuses the query %s', async (query) => {
    const reply = await service.call('GET', `/probe?${query}`)
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(reply.body['errors']).toMatchObject([{ path: query.split('=')[0] }])
  })

  it('rejects a query with NUL', async () => {
    expect((await service.call('GET', '/probe?limit=%00')).status).toBe(400)
  })
})
