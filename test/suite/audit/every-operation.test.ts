import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashEmail } from '../../../src/personal-data/email-hash.ts'
import type { TestService } from '../../helpers/service.ts'
import { DOMAIN, endDelivery, expectAudited, startAuditedService, storePerson } from './expect-audited.ts'

let service: TestService
beforeAll(async () => {
  service = await startAuditedService()
})
afterAll(() => service[Symbol.asyncDispose]())

const ids = {
  domain: DOMAIN,
  email_hash: hashEmail('ada@kept.example').hash,
  client_id: 'me',
  task_id: '',
  delivery_id: '',
  session_id: '',
  key_id: '',
  quote_id: '',
}

interface Operation {
  /** Action of its audit entry; null for an operation that only reads. */
  action: string | null
  body?: object | string
  headers?: Record<string, string>
  bodyOf?: () => object
  prepare?: () => Promise<unknown>
}
const reads: Operation = { action: null }
const submits = (body: object): Operation => ({ action: 'task.submit', body })

/** All operations of the API, in a realistic order. */
const OPERATIONS: Record<string, Operation> = {
  addTalCompanies: { action: 'list.add', body: { domains: [ids.domain, 'removed.example'] } },
  listTalCompanies: reads,
  removeTalCompanies: { action: 'list.remove', body: { domains: ['removed.example'] } },
  enrichCompany: submits({ domain: ids.domain }),
  enrichPerson: submits({ email: 'ada@kept.example' }),
  enrichBatch: submits({ domains: ['batch.example'] }),
  searchLeadership: submits({ domains: [ids.domain] }),
  discoverSignals: submits({ domains: [ids.domain] }),
  enrichTal: submits({}),
  importTal: { action: 'list.import', body: 'domain\nimported.example\n', headers: { 'content-type': 'text/csv' } },
  exportTal: reads,
  matchCompanies: { action: null, body: { companies: [{ name: 'Kept' }] } },
  getCompany: reads,
  searchCompanies: reads,
  readCompanies: { action: null, body: { domains: [ids.domain] } },
  readPersons: { action: null, body: { domains: [ids.domain] } },
  getCompanyPersons: reads,
  getCompanyHistory: reads,
  queryFirms: { action: null, body: { select: ['legal_name'] } },
  summarizeFirms: { action: null, body: {} },
  exportFirms: { action: null, body: { select: ['legal_name'] } },
  searchPersons: reads,
  getPerson: { action: null, prepare: () => storePerson(service.db, ids.task_id, 'ada@kept.example') },
  getPersonHistory: reads,
  erasePerson: { action: 'person.erase' },
  createErasure: { action: 'person.erase', body: { email: 'ada@kept.example' } },
  listErasures: reads,
  getStats: reads,
  listTasks: reads,
  getTask: reads,
  getTaskResult: reads,
  getUsage: reads,
  getWebhookSecret: { action: 'webhook.create_secret' },
  rotateWebhookSecret: { action: 'webhook.rotate_secret' },
  listDeliveries: reads,
  replayDelivery: { action: 'webhook.replay', prepare: () => endDelivery(service, ids.task_id) },
  createSession: { action: 'session.create', bodyOf: () => ({ api_key: service.key }) },
  listSessions: reads,
  getIdentity: reads,
  endSession: { action: 'session.end' },
  listClients: reads,
  updateClient: { action: 'client.update', body: { plan: 'large' } },
  grantUnits: { action: 'units.grant', body: { units: 5, reason: 'test' } },
  createKey: { action: 'key.create', body: { label: 'colleague', scopes: ['read'] } },
  listKeys: reads,
  revokeKey: { action: 'key.revoke' },
  listLedger: reads,
  listLedgerLines: reads,
  listAudit: reads,
  listSettings: reads,
  createQuote: { action: null, body: { company: { domain: ids.domain } } },
  getQuote: reads,
  purchaseQuote: { action: 'task.submit' },
  getLiveness: reads,
  getReadiness: reads,
}

describe('every API operation', () => {
  it('every API operation writes one audit entry if and only if it changes the database, except for quotes', async () => {
    const documented = new Map(
      Object.entries(service.document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => [operationId as string, { method, path }] as const),
      ),
    )
    // The event stream is excluded, because it only reads and never ends.
    documented.delete('watchEvents')
    expect(Object.keys(OPERATIONS).sort(), 'add new operations to OPERATIONS').toEqual([...documented.keys()].sort())
    for (const [operationId, { action, bodyOf, body = bodyOf?.(), headers = {}, prepare }] of Object.entries(
      OPERATIONS,
    )) {
      await prepare?.()
      const { method, path } = documented.get(operationId) as { method: string; path: string }
      const target = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name as keyof typeof ids])
      await expectAudited(service.db, action, async () => {
        const reply = await service.call(method.toUpperCase(), target, { headers, ...(body !== undefined && { body }) })
        expect(reply.status, `${operationId}: ${JSON.stringify(reply.body)}`).toBe(200)
        const { task_id, session_id, key_id, quote_id } = reply.body
        if (operationId === 'createQuote') ids.quote_id = quote_id as string
        if (operationId === 'createKey') ids.key_id = key_id as string
        if (operationId === 'createSession') ids.session_id = session_id as string
        if (typeof task_id === 'string' && operationId === 'enrichCompany') ids.task_id = ids.delivery_id = task_id
      })
    }
  })

  it('writes no audit entry when a submission with the same idempotency key is repeated', async () => {
    const send = () =>
      service.call('POST', '/v2/enrich/company', {
        body: { domain: 'once.example' },
        headers: { 'idempotency-key': 'once' },
      })
    await expectAudited(service.db, 'task.submit', send)
    await expectAudited(service.db, null, send)
  })
})
