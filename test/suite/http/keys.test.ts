import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../helpers/eventually.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: every response is validated against the OpenAPI document
type Json = any

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const EXPIRES = '2099-01-01T00:00:00.000000Z'

describe('API keys over HTTP', () => {
  it('creates, lists and revokes API keys with an expiry time', async () => {
    const body = { label: 'colleague', scopes: ['read'], expires_at: '2099-01-01T00:00:00Z' }
    const created = await service.call<Json>('POST', '/v2/keys', { body })
    expect(created).toMatchObject({
      status: 200,
      body: { label: 'colleague', scopes: ['read'], expires_at: EXPIRES, last_used_at: null, revoked_at: null },
    })
    const { key_id, key, last_four } = created.body
    expect(key.endsWith(last_four)).toBe(true)
    const identity = await service.call<Json>('GET', '/v2/identity', { key })
    expect(identity.body).toMatchObject({ key_id, scopes: ['read'], key_expires_at: EXPIRES })
    const session = await service.call<Json>('POST', '/v2/sessions', { body: { api_key: key }, key: null })
    expect(session.body).toMatchObject({ key_id, key_expires_at: EXPIRES })
    const { keys } = (await service.call<Json>('GET', '/v2/keys')).body
    expect(keys.find((one: Json) => one.key_id === key_id)).toMatchObject({ expires_at: EXPIRES, label: 'colleague' })
    const revoked = await service.call<Json>('DELETE', `/v2/keys/${key_id}`)
    expect(revoked).toMatchObject({
      status: 200,
      body: { key_id, label: 'colleague', last_four, scopes: ['read'], revoked_at: expect.any(String) },
    })
    const isRefused = async () => (await service.call('GET', '/v2/identity', { key })).status === 401
    await eventually('the revoked key is refused', isRefused)
  })
})
