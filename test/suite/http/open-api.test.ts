import { createConfig, lintFromString } from '@redocly/openapi-core'
import type { RulesetDefinition } from '@stoplight/spectral-core'
import { Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../../src/contract/scopes.ts'
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

const addFormats = formats as unknown as (ajv: Ajv2020) => Ajv2020

let service: TestService
let document: OpenApiDocument
beforeAll(async () => {
  service = await startService()
  document = (await service.call<OpenApiDocument>('GET', '/openapi.json')).body
})
afterAll(() => service[Symbol.asyncDispose]())

/** Accepted warnings of Spectral's recommended rules, with the reason for each. */
const SPECTRAL_EXCEPTIONS: Record<string, string> = {
  'info-contact': 'the document does not know who operates a self-hosted service',
  'oas3-operation-security-defined': 'OpenAPI 3.1 allows the names of roles for an API key; the rule follows 3.0',
}

describe('the OpenAPI document', () => {
  it('the OpenAPI document passes the recommended rules of Spectral, with two exceptions', async () => {
    const spectral = new Spectral()
    spectral.setRuleset(oas as RulesetDefinition)
    const problems = await spectral.run(JSON.stringify(document))
    expect(problems.filter(({ code }) => !(code in SPECTRAL_EXCEPTIONS))).toEqual([])
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(Object.keys(SPECTRAL_EXCEPTIONS)))
    const roles = Object.values(document.paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ security }) => security?.flatMap((given) => Object.values(given).flat()) ?? [])
    expect(roles.filter((role) => !SCOPES.includes(role as (typeof SCOPES)[number]))).toEqual([])
  })

  it('the OpenAPI document has a valid example for the body of every request, response and webhook', () => {
    const { schemas } = document.components
    const nameOf = ({ $ref = '' }: { $ref?: string }) => $ref.replace('#/components/schemas/', '')
    const bodies = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).flatMap(({ requestBody, responses }) =>
        [requestBody, responses['200']].flatMap((part) => part?.content?.['application/json'] ?? []),
      ),
    )
    const names = new Set(bodies.map((body) => nameOf((body as { schema: object }).schema)))
    const ajv = addFormats(new Ajv2020({ strict: false })).addSchema({ $id: 'api', components: document.components })
    for (const name of [...names, 'WebhookEvent', 'Problem']) {
      const [example] = (schemas[name] as { examples?: unknown[] }).examples ?? []
      expect(example, `${name} has an example`).toBeDefined()
      const validate = ajv.compile({ $ref: `api#/components/schemas/${name}` })
      expect([name, validate(example), validate.errors]).toEqual([name, true, null])
    }
  })

  it('the OpenAPI document requires a body except where every field is optional', async () => {
    const required = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.values(operations).flatMap(({ requestBody }) => (requestBody ? [[path, requestBody.required]] : [])),
    )
    expect(required.filter(([, isRequired]) => !isRequired)).toEqual([['/v2/clients/{client_id}/tal/enrich', false]])
    const statusOf = async (body?: string) => (await service.call('POST', '/v2/clients/me/tal/enrich', { body })).status
    expect([await statusOf(), await statusOf('null')]).toEqual([200, 422])
  })

  it('the OpenAPI document lists the accepted values of include, select, order, filters and callback_url', async () => {
    const { schemas } = document.components
    const query = schemas['FirmQuery'] as { properties: Record<string, { pattern?: string }> }
    expect(schemas['FirmField']).toMatchObject({ enum: expect.arrayContaining(['legal_name', 'items', 'as_of']) })
    const order = new RegExp(query.properties['order']?.pattern ?? '')
    expect(['crd_number.asc', 'notice_states.asc', 'crd_number'].map((text) => order.test(text))).toEqual([
      true,
      false,
      false,
    ])
    const parameters = document.paths['/v2/companies/{domain}']?.['get']?.parameters
    const include = parameters?.find(({ name }) => name === 'include')
    const pattern = new RegExp(include?.schema.pattern ?? '')
    const path = `/v2/companies?include=`
    for (const text of ['leadership', 'all', 'formadv, signals', '', ',all,', 'contact', 'leadership signals', 'ALL']) {
      const { status } = await service.call('GET', path + encodeURIComponent(text))
      expect([text, pattern.test(text)]).toEqual([text, status === 200])
    }
    const receiver = schemas['EnrichCompanyRequest'] as { properties: { callback_url: { pattern?: string } } }
    const address = new RegExp(receiver.properties.callback_url.pattern ?? '')
    await using strict = await startService({ webhooks: { allowHttp: false, allowPrivate: false, ports: [443, 8443] } })
    for (const callback_url of [
      'https://hooks.acme.example/a?b=c',
      'https://hooks.acme.example:8443',
      'https://127.0.0.1/',
      'http://hooks.acme.example/',
      'https://u:p@acme.example/',
      'https://acme.example:444/',
      'acme.example',
    ]) {
      const body = { domain: 'acme.example', callback_url }
      const { status } = await strict.call('POST', '/v2/enrich/company', { body })
      expect([callback_url, address.test(callback_url)]).toEqual([callback_url, status === 200])
    }
  })

  it('the OpenAPI document passes the strict rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`)).toEqual(
      [],
    )
  })

  it('the OpenAPI document names the schemas of requests and responses', () => {
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
        const content = responses['200']?.content
        if (content?.['text/csv'] || content?.['text/event-stream']) continue
        const schema = (content?.['application/json'] as { schema: object }).schema
        expect(schema, `${method} ${path}`).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) })
        expect(description ?? '', `${method} ${path}`).not.toBe('')
        expect(tags, `${method} ${path}`).toHaveLength(1)
        for (const [status, response] of Object.entries(responses))
          expect(Number(status) < 300 || '$ref' in response, `${method} ${path} ${status}`).toBe(true)
      }
    expect(document.webhooks).toHaveProperty('taskEnded.post.requestBody')
  })

  it('the OpenAPI document names the values of a nullable enum, and allows null where it is used', () => {
    const { schemas } = document.components
    expect(schemas['EmailStatus']).toMatchObject({ type: 'string', enum: ['published', 'derived', 'guessed'] })
    expect(schemas['Person']).toMatchObject({
      properties: { seniority: { anyOf: [{ $ref: '#/components/schemas/Seniority' }, { type: 'null' }] } },
    })
  })

  it('the OpenAPI document has every operation of the interface', () => {
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

  it('response validation rejects a body that violates its schema', () => {
    expect(() => contract().check('GET', '/health/live', 200, { status: 'live' })).not.toThrow()
    expect(() => contract().check('GET', '/health/live', 200, { status: 7 })).toThrow('against its contract')
    expect(() => contract().check('GET', '/health/live', 503, { detail: 'x' })).toThrow('code')
  })

  it('response validation rejects an undocumented status', () => {
    expect(() => contract().check('GET', '/health/live', 418, {})).toThrow('undocumented status')
  })
})
