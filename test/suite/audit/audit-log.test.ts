import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audited, listAudit, pruneAudit } from '../../../src/audit/audit-log.ts'
import { grantUnits } from '../../../src/units/grant.ts'
import { givenClient, TEST_ACTOR } from '../../helpers/clients.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const entries = (action: string) => listAudit(service.db, { action, limit: 10 })

describe('the audit log', () => {
  it('writes one audit entry per change made over HTTP, with client, key, address, target and result', async () => {
    const { client, call } = service
    const list = '/v2/clients/me/tal/companies'
    await call('POST', list, { body: { domains: ['a.example', 'b.example'], source: 'crm' } })
    await call('DELETE', list, { body: { domains: ['a.example'] } })
    await call('POST', '/v2/webhooks/secret/rotate')
    const { body } = await call('POST', '/v2/enrich/company', { body: { domain: 'b.example' } })
    const common = {
      actor: `client:${client.client_id}`,
      key_id: expect.any(String),
      address: '127.0.0.1',
      result: 'ok',
    }
    const target = client.client_id
    expect(await entries('list')).toMatchObject([
      { ...common, action: 'list.remove', target, details: { removed: 1 } },
      { ...common, action: 'list.add', target, details: { added: 2, source: 'crm' } },
    ])
    expect(await entries('webhook')).toMatchObject([{ ...common, action: 'webhook.rotate_secret', target }])
    expect(await entries('task.submit')).toMatchObject([{ ...common, target: body['task_id'], details: { units: 1 } }])
  })

  it('writes an audit entry with the error code for a refused change, and none for reads', async () => {
    const { length } = await listAudit(service.db, { limit: 100 })
    await service.call('GET', '/v2/stats')
    await service.call('POST', '/v2/clients/me/tal/companies', { body: { domains: ['not a domain'] } })
    const after = await listAudit(service.db, { limit: 100 })
    expect(after.length).toBe(length + 1)
    expect(after[0]).toMatchObject({ action: 'list.add', result: 'unprocessable' })
  })

  it('keeps neither a change nor its audit entry if the transaction fails', async () => {
    const clientId = await givenClient(service.db)
    const change = { action: 'units.grant', target: clientId }
    const failing = audited(service.db, TEST_ACTOR, change, async (trx) => {
      await grantUnits(trx, { clientId, units: 5, reason: 'test' })
      throw new Error('connection lost')
    })
    await expect(failing).rejects.toThrow('connection lost')
    expect(await entries('units')).toEqual([])
    const grants = service.db.selectFrom('ledger_entry').selectAll().where('client_id', '=', clientId)
    expect(await grants.where('kind', '=', 'grant').execute()).toEqual([])
  })

  it('refuses updates, deletes and truncation of the audit log, and prunes only entries older than the retention period', async () => {
    for (const change of [
      sql`update audit_entry set actor = 'nobody'`,
      sql`delete from audit_entry`,
      sql`truncate audit_entry`,
    ])
      await expect(change.execute(service.db)).rejects.toThrow('append-only')
    await expect(sql`update audit_retention set days = 29`.execute(service.db)).rejects.toThrow('days_check')
    expect(await pruneAudit(service.db)).toBe(0)
    const { length } = await listAudit(service.db, { limit: 1000 })
    await sql`insert into audit_entry (at, actor, action, target) values (now() - interval '731 days', 'user:x', 'a.b', '')`.execute(
      service.db,
    )
    expect(await pruneAudit(service.db)).toBe(1)
    expect((await listAudit(service.db, { limit: 1000 })).length).toBe(length)
  })

  it('filters the audit log by time, actor and action', async () => {
    const actor = `client:${service.client.client_id}`
    expect(await listAudit(service.db, { actor: 'user:nobody', limit: 5 })).toEqual([])
    expect((await listAudit(service.db, { actor, action: 'list.add', limit: 1 })).length).toBe(1)
    expect(await listAudit(service.db, { since: '2999-01-01T00:00:00Z', limit: 5 })).toEqual([])
  })
})
