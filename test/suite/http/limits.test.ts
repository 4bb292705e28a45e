import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OperationsDocument } from '../../helpers/contract-elements.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ plan: { units_per_period: 10 } })
})
afterAll(() => service[Symbol.asyncDispose]())

type Operation = OperationsDocument['paths'][string][string]
type Schema = NonNullable<Operation['parameters']>[number]['schema']

const IN_PATH: Record<string, string> = {
  client_id: 'me',
  domain: 'acme.example',
  email_hash: '0123456789abcdef',
  task_id: '00000000-0000-4000-8000-000000000000',
  delivery_id: '00000000-0000-4000-8000-000000000000',
}
const LISTED: Record<string, (index: number) => unknown> = {
  companies: (index) => ({ domain: `c${index}.example` }),
  domains: (index) => `d${index}.example`,
  entries: (index) => ({ domain: `d${index}.example` }),
  emails: (index) => `e${index}@d.example`,
  select: () => 'legal_name',
}

const operations = (): [string, string, Operation][] =>
  Object.entries(service.document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      method.toUpperCase(),
      template.replace(/\{(\w+)\}/g, (_, name: string) => IN_PATH[name] as string),
      operation,
    ]),
  )

/** Returns the numbers just outside a schema's bounds. */
const numbersBeyond = ({ minimum, maximum }: Schema): number[] => [
  ...(minimum === undefined ? [] : [minimum - 1]),
  ...(maximum === undefined ? [] : [maximum + 1]),
]

const listsBeyond = (name: string, { minItems, maxItems }: Schema): unknown[][] => [
  ...(minItems ? [[]] : []),
  ...(maxItems
    ? [Array.from({ length: maxItems + 1 }, (_, index) => (LISTED[name] as (at: number) => unknown)(index))]
    : []),
]

describe('a limit', () => {
  it('a limit of a query parameter rejects values below and above it by name', async () => {
    let tried = 0
    for (const [method, path, { parameters = [] }] of operations())
      for (const { name, schema } of parameters.filter((parameter) => parameter.in === 'query'))
        for (const value of numbersBeyond(schema)) {
          const body = method === 'POST' ? { body: { domain: 'acme.example' } } : {}
          const reply = await service.call(method, `${path}?${name}=${value}`, body)
          expect(reply, `${method} ${path}?${name}=${value}`).toMatchObject({
            status: 400,
            body: { errors: [{ path: name }] },
          })
          tried += 1
        }
    expect(tried).toBeGreaterThan(20)
  })

  it('a limit of a body field rejects values below and above it by path', async () => {
    let tried = 0
    for (const [method, path, { requestBody }] of operations())
      for (const [name, schema] of Object.entries(requestBody?.content['application/json']?.schema.properties ?? {}))
        for (const value of [...numbersBeyond(schema), ...listsBeyond(name, schema)]) {
          const body = { ...(name !== 'domains' && path !== '/firms' && { domains: ['acme.example'] }), [name]: value }
          const reply = await service.call(method, path, { body })
          expect(reply, `${method} ${path} ${name}`).toMatchObject({ status: 422 })
          expect(JSON.stringify(reply.body), `${method} ${path}`).toContain(`/${name}`)
          tried += 1
        }
    expect(tried).toBeGreaterThan(15)
  })

  it('refuses a JSON body of more than 1 MiB', async () => {
    for (const [method, path, operation] of operations())
      if (operation.requestBody?.content['application/json']) {
        const body = JSON.stringify({ domains: ['x'.repeat(2 ** 20)] })
        expect((await service.call(method, path, { body })).status, path).toBe(413)
      }
  })

  it('refuses a path segment of more than 500 characters', async () => {
    const long = await service.call('GET', `/v2/companies/${'x'.repeat(501)}.example`)
    expect(long).toMatchObject({ status: 414, body: { code: 'uri_too_long' } })
  })
})

describe('every operation', () => {
  it('every operation without a body accepts the Content-Type of JSON', async () => {
    for (const [method, path, { requestBody }] of operations())
      if (method !== 'GET' && !requestBody) {
        const { body } = await service.call(method, path, { headers: { 'content-type': 'application/json' } })
        expect(body['detail'] ?? '', `${method} ${path}`).not.toContain('The body is empty')
      }
  })

  it('every operation rejects unknown parameters', async () => {
    for (const [method, path] of operations().filter(([method, path]) => method === 'GET' && path.startsWith('/v2')))
      expect((await service.call(method, `${path}?colour=blue`)).status, `${method} ${path}`).toBe(400)
  })

  it('every operation rejects bodies that are not JSON or have unknown fields', async () => {
    for (const [method, path, { requestBody }] of operations().filter(([method]) => method !== 'GET')) {
      const headers = { 'content-type': 'application/json' }
      expect((await service.call(method, path, { body: '{"domains": [', headers })).status, `${method} ${path}`).toBe(
        400,
      )
      if (!requestBody) continue
      expect((await service.call(method, path, { body: { colour: 'blue' } })).status, `${method} ${path}`).toBe(422)
    }
  })
})
