import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const problem = (code: string) => ({
  detail: expect.any(String),
  code,
  request_id: expect.any(String),
})

describe('an error response', () => {
  it('responds 404 to an unknown path', async () => {
    const reply = await service.call('GET', '/v2/nothing')
    expect(reply).toMatchObject({ status: 404, body: problem('not_found') })
  })

  it('lists in Allow only the methods of a fixed path whose last segment could be a domain', async () => {
    const { headers } = await service.call('OPTIONS', '/v2/companies/batch-read')
    expect(headers.get('allow')).toBe('POST')
  })

  it('responds 405 with Allow to an unsupported method', async () => {
    const reply = await service.call('DELETE', '/health/live')
    expect(reply).toMatchObject({ status: 405, body: problem('method_not_allowed') })
    expect(reply.headers.get('allow')).toBe('GET, HEAD')
  })

  it('responds 400 to a path that cannot be decoded', async () => {
    expect(await service.call('GET', '/v2/%zz')).toMatchObject({ status: 400, body: problem('invalid_request') })
  })
})

describe('the service', () => {
  it('the service reports liveness and readiness', async () => {
    expect(await service.call('GET', '/health/live')).toMatchObject({ status: 200, body: { status: 'live' } })
    expect(await service.call('GET', '/health/ready')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  it('the service serves the OpenAPI document and its viewer', async () => {
    expect(await service.call('GET', '/openapi.json')).toMatchObject({ status: 200, body: { openapi: '3.1.0' } })
    const page = await service.call<string>('GET', '/docs')
    expect(page.headers.get('content-security-policy')).not.toMatch(/https:|upgrade-insecure|swagger\.io/)
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => String(address))
    expect(assets.length).toBeGreaterThan(4)
    for (const address of assets) expect(await service.call('GET', address), address).toMatchObject({ status: 200 })
  })
})
