import type { Client } from '../../../client/index.ts'
import { ApiError } from '../../../client/index.ts'
import { forEachConcurrent } from '../../../lib/for-each-concurrent.ts'
import { sum } from '../../../lib/sum.ts'
import type { Command } from '../command.ts'
import type { Progress } from '../progress.ts'
import { createProgress } from '../progress.ts'
import type { EnrichJob } from './job.ts'
import { unitsOf } from './job.ts'

export interface Bought {
  units_charged: number
  units_refunded: number
  /**
   * The reason that some companies were not submitted: `--max-units` was reached, or no units were left. Null if all
   * companies were submitted.
   */
  stopped: 'limit' | 'units' | null
  left: number
}

const AT_ONCE = 4

/**
 * Submits the remaining companies, for at most `maxUnits` in total, and waits for all tasks. If a response is lost, the
 * request is repeated with the same key.
 */
export async function buyEnrichment(
  command: Command,
  client: Client,
  job: EnrichJob,
  maxUnits = Number.POSITIVE_INFINITY,
): Promise<Bought> {
  const { companies } = job.state
  const progress = createProgress('Enriching', command.json)
  try {
    const stopped = await submitAll(command, client, job, maxUnits)
    await waitForAll(command, client, job, progress)
    return {
      units_charged: sum(companies.map(({ units_charged }) => units_charged)),
      units_refunded: sum(companies.map(({ units_refunded }) => units_refunded)),
      stopped,
      left: companies.filter(({ task_id }) => task_id === null).length,
    }
  } finally {
    progress.stop()
    await job.save()
  }
}

async function submitAll(
  { signal }: Command,
  client: Client,
  job: EnrichJob,
  maxUnits: number,
): Promise<Bought['stopped']> {
  const { companies, groups } = job.state
  const cost = unitsOf(groups)
  const options = { include_leadership: groups.leadership, include_signals: groups.signals }
  let stopped: Bought['stopped'] = null
  // Each request that is still waiting for a response may charge the full cost.
  let spent = sum(companies.map(({ units_charged }) => units_charged))
  const open = companies.filter(({ task_id }) => task_id === null)
  await forEachConcurrent(open, AT_ONCE, signal, async (company) => {
    if (stopped === null && spent + cost > maxUnits) stopped = 'limit'
    if (stopped !== null) return
    spent += cost
    try {
      const { task_id, units_charged } = await client.enrich.company(
        { domain: company.domain, ...options },
        { idempotencyKey: company.idempotency_key, signal },
      )
      Object.assign(company, { task_id, units_charged })
      spent += units_charged - cost
      await job.saveOften()
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 402)) throw error
      stopped = 'units'
    }
  })
  return stopped
}

async function waitForAll({ signal }: Command, client: Client, job: EnrichJob, progress: Progress): Promise<void> {
  const submitted = job.state.companies.filter(({ task_id }) => task_id !== null)
  const open = submitted.filter(({ is_done }) => !is_done)
  let done = submitted.length - open.length
  progress.update(done, submitted.length)
  // The service processes the tasks in this order, so only the first few unfinished tasks are polled.
  await forEachConcurrent(open, AT_ONCE, signal, async (company) => {
    const options = { signal, timeout: Number.POSITIVE_INFINITY }
    const { units_refunded } = await client.tasks.wait(company.task_id as string, options)
    Object.assign(company, { units_refunded, is_done: true })
    done += 1
    progress.update(done, submitted.length)
    await job.saveOften()
  })
}
