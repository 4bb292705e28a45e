import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenApiDocument } from '../../helpers/contract.ts'
import { readContract } from '../../helpers/contract.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

const INTERFACE = [
  'GET /v2/companies/{domain}',
  'GET /v2/companies',
  'GET /v2/companies/{domain}/persons',
  'GET /v2/companies/{domain}/history',
  'GET /v2/persons',
  'GET /v2/persons/{email_hash}',
  'GET /v2/persons/{email_hash}/history',
  'POST /v2/enrich/company',
  'POST /v2/enrich/person',
  'POST /v2/enrich/batch',
  'POST /v2/search/leadership',
  'POST /v2/discover/signals',
  'GET /v2/tasks',
  'GET /v2/tasks/{task_id}',
  'GET /v2/tasks/{task_id}/result',
  'GET /v2/clients/{client_id}/tal/companies',
  'POST /v2/clients/{client_id}/tal/companies',
  'DELETE /v2/clients/{client_id}/tal/companies',
  'POST /v2/clients/{client_id}/tal/enrich',
  'GET /v2/usage',
  'GET /v2/stats',
  'POST /firms',
]

let service: TestService
let document: OpenApiDocument
beforeAll(async () => {
  service = await startService()
  document = (await service.call<OpenApiDocument>('GET', '/openapi.json')).body
})
afterAll(() => service[Symbol.asyncDispose]())

describe('the OpenAPI document', () => {
  it('passes a linter', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`)).toEqual(
      [],
    )
  })

  it('names the schemas of requests and responses', () => {
    const { schemas } = document.components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        ...[
          'Company',
          'Person',
          'Task',
          'TaskResult',
          'Submission',
          'HistoryEvent',
          'Signal',
          'Firm',
          'Leader',
          'Usage',
        ],
        ...['WebhookDelivery', 'WebhookEvent', 'Problem', 'EnrichCompanyRequest', 'EnrichmentStatus', 'TaskStatus'],
      ]),
    )
    for (const [path, operations] of Object.entries(document.paths))
      for (const [method, { responses, description, tags }] of Object.entries(operations)) {
        const schema = (responses['200']?.content?.['application/json'] as { schema: object }).schema
        expect(schema, `${method} ${path}`).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) })
        expect(description ?? '', `${method} ${path}`).not.toBe('')
        expect(tags, `${method} ${path}`).toHaveLength(1)
        for (const [status, response] of Object.entries(responses))
          expect(Number(status) < 300 || '$ref' in response, `${method} ${path} ${status}`).toBe(true)
      }
    expect(document.webhooks).toHaveProperty('taskEnded.post.requestBody')
  })

  it('has every operation of the interface', () => {
    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented).toEqual(expect.arrayContaining(INTERFACE))
    const { parameters } = document.paths['/v2/tasks']?.['get'] as {
      parameters?: { name: string; required?: boolean }[]
    }
    expect(parameters?.find(({ name }) => name === 'limit')?.required ?? false).toBe(false) // it has a default
    expect(documented.filter((operation) => operation.includes('/docs'))).toEqual([])
  })
})

describe('response validation', () => {
  const contract = () => readContract(document)

  it('rejects a body that violates its schema', () => {
    expect(() => contract().check('GET', '/health/live', 200, { status: 'live' })).not.toThrow()
    expect(() => contract().check('GET', '/health/live', 200, { status: 7 })).toThrow('against its contract')
    expect(() => contract().check('GET', '/health/live', 503, { detail: 'x' })).toThrow('code')
  })

  it('rejects an undocumented status', () => {
    expect(() => contract().check('GET', '/health/live', 418, {})).toThrow('undocumented status')
  })
})
