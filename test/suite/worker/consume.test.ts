import { expect, it } from 'vitest'
import { silentLog } from '../../../src/lib/logger.ts'
import type { Queue } from '../../../src/lib/queue.ts'
import { consume, TryAgain } from '../../../src/worker/consume.ts'

it('logs a failed attempt as a warning with its reason, and a waiting attempt at debug level', async () => {
  const errors = [new Error('the site sends no pages'), new TryAgain('the source is busy')]
  const lines: unknown[] = []
  const stop = new AbortController()
  const queue: Partial<Queue> = {
    listen: async () => ({ [Symbol.asyncDispose]: async () => {} }),
    claim: async () => errors.splice(0).map((error, id) => ({ id: String(id), data: error })) as never,
    heartbeat: async () => true,
    async fail() {
      if (lines.length === 2) stop.abort()
    },
  }
  const log = {
    ...silentLog,
    warn: (fields: unknown, text: string) => void lines.push(['warn', fields, text]),
    debug: (fields: unknown, text: string) => void lines.push(['debug', fields, text]),
  }
  await consume<Error>({
    queue: queue as Queue,
    name: 'items',
    concurrency: 2,
    heartbeatSeconds: 60,
    log: log as typeof silentLog,
    signal: stop.signal,
    handle: async ({ data }) => {
      throw data
    },
  })
  expect(lines).toEqual([
    ['warn', expect.objectContaining({ job: '0', reason: 'the site sends no pages' }), 'attempt failed'],
    ['debug', expect.objectContaining({ job: '1', reason: 'the source is busy' }), 'attempt failed'],
  ])
})
