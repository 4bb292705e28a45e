import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { isConnectionLost, whenReachable } from '../../../pipelines/runner/when-reachable.ts'
import { AppError } from '../../../src/lib/errors.ts'
import { startFirmHost } from '../../helpers/firm-host.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'
import { firmContents, pipelineBench } from '../../helpers/pipeline.ts'

describe('an unreachable warehouse', () => {
  it('an unreachable warehouse delays a run without counting rows twice', async () => {
    await using host = await startFirmHost(generateFirms(600))
    await using bench = await pipelineBench(host)
    const cuts: Promise<unknown>[] = []
    host.fault = ({ number }) => {
      if (number % 5 === 3) {
        // Terminates every connection of the run.
        cuts.push(
          sql`
            select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          `
            .execute(bench.warehouse.db)
            .catch(() => undefined),
        )
      }
      return undefined
    }
    const run = await bench.run()
    expect(cuts.length).toBeGreaterThan(1)
    expect(run).toMatchObject({ error_message: null, state: 'completed', outcome: 'ok' })
    // The last cut can end after the run, and can have ended idle connections of the pool.
    await Promise.all(cuts)
    expect(await whenReachable(() => firmContents(bench.warehouse), { timeout: 5000 })).toHaveLength(600)
  })

  it('an unreachable warehouse fails the run after the timeout, with advice', async () => {
    const away = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
    await expect(whenReachable(away, { timeout: 200 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Run the pipeline again'),
    })
  })

  it('distinguishes an unreachable warehouse from an invalid statement', () => {
    expect(isConnectionLost(Object.assign(new Error('x'), { code: '57P01' }))).toBe(true)
    expect(isConnectionLost(Object.assign(new Error('x'), { code: '23505' }))).toBe(false)
    expect(isConnectionLost(new AppError('conflict', 'x'))).toBe(false)
    expect(isConnectionLost(new Error('Connection terminated unexpectedly'))).toBe(true)
  })
})
