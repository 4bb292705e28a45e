import { expect } from 'vitest'
import { silentLog } from '../../src/lib/logger.ts'
import type { SubmissionReply } from '../../src/tasks/submit.ts'
import { createItemEnricher } from '../../src/worker/enrich.ts'
import type { AnswerServer } from './answer-server.ts'
import { answerProvider, startAnswerServer } from './answer-server.ts'
import { eventually } from './eventually.ts'
import type { ServiceOptions, TestCaller, TestService } from './service.ts'
import { startService } from './service.ts'
import { startWorkerOn } from './work.ts'

/** The service, with a worker whose only source returns the responses set by the test. */
export interface AnsweredService extends AsyncDisposable {
  service: TestService
  answers: AnswerServer
}

export async function startAnsweredService(options: ServiceOptions = {}): Promise<AnsweredService> {
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await startService(options))
  const answers = stack.use(await startAnswerServer())
  const enrichItem = createItemEnricher({
    db: service.db,
    providers: [answerProvider(answers.url)],
    log: silentLog,
    limits: { people: 25, articles: 10 },
  })
  stack.use(startWorkerOn(service, enrichItem))
  const rest = stack.move()
  return { service, answers, [Symbol.asyncDispose]: () => rest.disposeAsync() }
}

export interface TaskResult {
  status: string
  progress: number
  // biome-ignore lint/suspicious/noExplicitAny: call() validates the response
  output_data: any
  input_data: unknown
}

/** Submits a task and expects it to be accepted. */
export async function submit(
  caller: TestCaller,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<SubmissionReply> {
  const reply = await caller.call<SubmissionReply>('POST', path, { body, headers })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}

/** Waits until the task ends. */
export async function resultOf(caller: TestCaller, taskId: string): Promise<TaskResult> {
  return await eventually('the task ends', async () => {
    const { body } = await caller.call<TaskResult>('GET', `/v2/tasks/${taskId}/result`)
    return ['completed', 'failed'].includes(body.status) && body
  })
}

/** Submits a task and waits until it ends. */
export const run = async (caller: TestCaller, path: string, body: object): Promise<TaskResult> =>
  await resultOf(caller, (await submit(caller, path, body)).task_id)

export const balance = async (caller: TestCaller): Promise<number> =>
  (await caller.call<{ units_remaining: number }>('GET', '/v2/usage')).body.units_remaining
