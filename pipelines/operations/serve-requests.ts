import { sql } from 'kysely'
import { sleep } from '../../src/lib/backoff.ts'
import { messageOf } from '../../src/lib/errors.ts'
import type { PipelineDeps } from '../runner/pipeline.ts'
import { runPipeline } from '../runner/run-pipeline.ts'
import { findRequestable } from './requestable.ts'

const POLL_MS = 2_000

/**
 * Runs the pipelines that users start in the console, until the signal aborts. Any number of processes can call this
 * function concurrently.
 */
export async function serveRequests(deps: PipelineDeps, signal: AbortSignal): Promise<void> {
  const running = new Set<Promise<void>>()
  while (!signal.aborted) {
    for (const name of await takeRequests(deps)) {
      const run = runRequested(deps, name, signal).finally(() => running.delete(run))
      running.add(run)
    }
    await sleep(POLL_MS, signal).catch(() => undefined)
  }
  await Promise.all(running)
}

async function takeRequests({ warehouse, log }: PipelineDeps): Promise<string[]> {
  try {
    const { rows } = await sql<{ pipeline: string }>`delete from sync.run_request returning pipeline`.execute(
      warehouse.db,
    )
    return rows.map(({ pipeline }) => pipeline)
  } catch (error) {
    log.warn({ err: error }, 'requested runs could not be read and will be read again')
    return []
  }
}

async function runRequested(deps: PipelineDeps, name: string, signal: AbortSignal): Promise<void> {
  try {
    const { run } = await runPipeline(deps, findRequestable(name), { requestedBy: 'console', signal })
    deps.log.info({ run: run.id, pipeline: name, state: run.state, outcome: run.outcome }, 'run ended')
  } catch (error) {
    deps.log.warn({ pipeline: name, reason: messageOf(error) }, 'a requested run did not start')
  }
}
