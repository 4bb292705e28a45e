import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Findings, Provider } from '../../../src/findings/provider.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { createItemEnricher } from '../../../src/worker/enrich.ts'
import type { CommandLine } from '../../helpers/command-line.ts'
import { openCommandLine } from '../../helpers/command-line.ts'
import { eventually } from '../../helpers/eventually.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { startWorkerOn } from '../../helpers/work.ts'

interface Task {
  task_id: string
  progress: number
  status: string
}

const NONE: Findings = { status: 'not_found', reason: 'not listed', observations: [], people: [], signals: [] }

/** Sources that respond in order, each when the test releases it. */
const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
const providers = gates.map(
  (gate, index): Provider => ({
    name: ['website', 'form-adv', 'wikidata'][index] as Provider['name'],
    groups: new Set(['company']),
    recheckAfterDays: 30,
    async find() {
      await gate.promise
      return NONE
    },
  }),
)

let stack: AsyncDisposableStack
let service: TestService
let talhouse: CommandLine
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  service = stack.use(await startService())
  const limits = { people: 25, articles: 10 }
  stack.use(startWorkerOn(service, createItemEnricher({ db: service.db, providers, log: silentLog, limits })))
  talhouse = stack.use(await openCommandLine(service, { TALHOUSE_SERVICE_DATABASE_URL: service.postgres.url }))
})
afterAll(() => stack.disposeAsync())

describe('the progress of a running task', () => {
  it('the progress of a running task counts the sources that responded, in the API and in task wait', async () => {
    const submitted = await service.call<Task>('POST', '/v2/enrich/company', { body: { domain: 'slow.example' } })
    const path = `/v2/tasks/${submitted.body.task_id}`
    const progress = async () => (await service.call<Task>('GET', path)).body.progress
    expect(await progress()).toBe(0)
    const { child, ended } = talhouse.start('task', 'wait', submitted.body.task_id)
    let shown = ''
    child.stderr?.on('data', (chunk) => {
      shown += chunk
    })
    gates[0]?.resolve()
    await eventually('one of three sources responded', async () => (await progress()) === 0.25)
    gates[1]?.resolve()
    await eventually('two of three sources responded', async () => (await progress()) === 0.5)
    const listed = await service.call<{ tasks: Task[] }>('GET', '/v2/tasks?status=running')
    expect(listed.body.tasks.map((task) => task.progress)).toEqual([0.5])
    await eventually('task wait shows it', async () => shown.includes('running: 50%'))
    gates[2]?.resolve()
    expect((await ended).err).toContain('100%')
    expect(await progress()).toBe(1)
  })
})
