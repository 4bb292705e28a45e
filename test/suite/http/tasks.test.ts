import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcileUnits } from '../../../src/units/reconcile.ts'
import type { AnswerServer } from '../../helpers/answer-server.ts'
import type { AnsweredService, TaskResult } from '../../helpers/answered-service.ts'
import { resultOf, run, startAnsweredService, submit } from '../../helpers/answered-service.ts'
import type { TestService } from '../../helpers/service.ts'

let answered: AnsweredService
let service: TestService
let answers: AnswerServer
beforeAll(async () => {
  answered = await startAnsweredService()
  ;({ service, answers } = answered)
})
afterAll(() => answered[Symbol.asyncDispose]())

describe('tasks', () => {
  it("lists a client's tasks newest first, filtered by status", async () => {
    const caller = await service.addCaller()
    const ids: string[] = []
    for (const domain of ['list-1.example', 'list-2.example', 'list-3.example'])
      ids.push((await submit(caller, '/v2/enrich/company', { domain })).task_id)
    for (const id of ids) await resultOf(caller, id)
    const listed = async (query: string) =>
      (await caller.call<{ tasks: { id: string }[] }>('GET', `/v2/tasks${query}`)).body.tasks.map(({ id }) => id)
    expect(await listed('')).toEqual(ids.toReversed())
    expect(await listed('?limit=1&status=completed')).toEqual([ids[2]])
    expect(await listed('?status=failed')).toEqual([])
    for (const query of ['?limit=0', '?limit=101', '?status=lost', '?limit=x'])
      expect((await caller.call('GET', `/v2/tasks${query}`)).status).toBe(400)
    for (const path of [`/v2/tasks/${ids[0]}`, `/v2/tasks/${ids[0]}/result`, '/v2/tasks/unknown'])
      expect((await service.call('GET', path)).status).toBe(404)
  })

  it('pages tasks by offset', async () => {
    const all = (await service.call<{ tasks: { id: string }[] }>('GET', '/v2/tasks?limit=2')).body.tasks
    const second = (await service.call<{ tasks: { id: string }[] }>('GET', '/v2/tasks?limit=1&offset=1')).body.tasks
    expect(second).toEqual(all.slice(1))
  })

  it('returns no output of a task before the task ends', async () => {
    const caller = await service.addCaller()
    const { rows } = await sql<{ task_id: string }>`
      insert into task (client_id, task_id, task_type, input, units_charged, items_total)
      values (${caller.client.client_id}, gen_random_uuid(), 'enrich_company', '{"domain": "x.example"}', 0, 1)
      returning task_id`.execute(service.db)
    const reply = await caller.call<TaskResult>('GET', `/v2/tasks/${rows[0]?.task_id}/result`)
    expect(reply).toMatchObject({
      status: 200,
      body: { status: 'queued', progress: 0, input_data: { domain: 'x.example' }, output_data: null },
    })
  })
})

describe('GET /v2/usage', () => {
  it('the usage reflects charges and refunds', async () => {
    const caller = await service.addCaller({ units_per_period: 50, plan: 'gold', overage_allowed: true })
    const { body } = await caller.call('GET', '/v2/usage')
    expect(body).toMatchObject({
      plan: 'gold',
      units_remaining: 50,
      units_used_this_period: 0,
      overage_allowed: true,
      period_started_at: caller.client.created_at,
    })
    await run(caller, '/v2/enrich/company', { domain: 'usage.example' })
    answers.known.set('refund.example', { status: 404 })
    await run(caller, '/v2/enrich/company', { domain: 'refund.example' })
    expect((await caller.call('GET', '/v2/usage')).body).toMatchObject({
      units_remaining: 49,
      units_used_this_period: 1,
    })
  })
})

describe('the ledger', () => {
  it('the ledger balances after all tasks', async () => {
    expect((await reconcileUnits(service.db)).discrepancies).toEqual([])
  })
})
