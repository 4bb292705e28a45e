import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { HostClient } from '../../../pipelines/host/host-client.ts'
import { audited } from '../../audit/audit-log.ts'
import { LEADERSHIP_MAXIMUM, SIGNALS_MAXIMUM } from '../../contract/enrichment.ts'
import type { TalAdded } from '../../contract/tal.ts'
import type { Db } from '../../db/database.ts'
import type { DemoWeb } from '../../demo/start-demo-web.ts'
import { SAMPLE_ROSTER } from '../../firms/remove-sample.ts'
import { sleep } from '../../lib/backoff.ts'
import { chunk } from '../../lib/chunk.ts'
import { sum } from '../../lib/sum.ts'
import { addMembers } from '../../tal/tal-members.ts'
import { cliActor } from './cli-actor.ts'
import type { Command } from './command.ts'
import { MAIN_CLIENT } from './main-client.ts'

/** The reserved top-level domain of all demo companies. */
const DEMO_HOSTS = '*.example'
/** Age of the data folder at which the websites change: people join, leave and move, and a company relocates. */
const LATER_MS = 86_400_000
/** Tag of the demo companies on the target account list. */
const SOURCE = 'demo'

/**
 * Serves the demo companies' websites, unless demo data is disabled or a real roster has been imported. The caller must
 * close the server.
 */
export async function openDemoWeb({ config }: Command, db: Db): Promise<DemoWeb | undefined> {
  const { companies } = config.demo
  if (companies === 0) return undefined
  const real = await db
    .selectFrom('firm_import')
    .select('id')
    .where('file', '<>', SAMPLE_ROSTER)
    .limit(1)
    .executeTakeFirst()
  const authorityFile = join(resolve(config.data_dir), 'demo-authority.pem')
  if (real) return undefined
  await mkdir(resolve(config.data_dir), { recursive: true })
  const { birthtimeMs } = await stat(resolve(config.data_dir))
  const { startDemoWeb } = await import('../../demo/start-demo-web.ts')
  return await startDemoWeb({ companies, authorityFile, isLater: () => Date.now() - birthtimeMs > LATER_MS })
}

/** Returns a copy of the command whose settings resolve the demo hosts and exempt them from the host rate limit. */
export function withDemoWeb(command: Command, web: DemoWeb | undefined): Command {
  if (!web) return command
  const { fetching } = command.config
  const connect_to = [...web.connectTo, ...fetching.connect_to]
  const own_hosts = [DEMO_HOSTS, ...fetching.own_hosts]
  const extra_ca_files = [web.authorityFile, ...fetching.extra_ca_files]
  return { ...command, config: { ...command.config, fetching: { ...fetching, connect_to, own_hosts, extra_ca_files } } }
}

/**
 * Adds the demo companies to the main client's list, unless the client has ever had a list, so that removed companies
 * stay removed. Returns true if the leadership and signals of the demo companies have not been enriched yet, for
 * example because the first start was interrupted.
 */
export async function listDemoCompanies(db: Db, { companies }: DemoWeb): Promise<boolean> {
  const members = db.selectFrom('tal_member').select('source').where('client_id', '=', MAIN_CLIENT)
  const tasks = db.selectFrom('task').select('task_id').where('client_id', '=', MAIN_CLIENT)
  const [member, demo, task, lastTask] = await Promise.all([
    members.limit(1).executeTakeFirst(),
    members.where('source', '=', SOURCE).limit(1).executeTakeFirst(),
    tasks.limit(1).executeTakeFirst(),
    tasks.where('task_type', '=', 'signal_discovery').limit(1).executeTakeFirst(),
  ])
  if (member || task) return demo !== undefined && lastTask === undefined
  const addition = { domains: companies.map(({ domain }) => domain), source: SOURCE }
  const change = {
    action: 'list.add',
    target: MAIN_CLIENT,
    details: ({ added }: TalAdded) => ({ added: added.length }),
  }
  await audited(db, cliActor(), change, (trx) => addMembers(trx, MAIN_CLIENT, addition))
  return true
}

/** Maximum time that `up` waits for the enrichment of the demo companies. */
const TIMEOUT_MS = 60_000

interface DemoEnrichment {
  signal: AbortSignal
  /** Called with the number of enriched companies; a company with only leadership or only signals counts as half. */
  onProgress(done: number, total: number): void
}

/**
 * Enriches the demo companies' leadership and signals, which nightly runs do not enrich, and waits for the result.
 * Idempotency keys prevent a second charge.
 */
export async function enrichDemoCompanies(
  client: HostClient,
  { companies }: DemoWeb,
  { signal, onProgress }: DemoEnrichment,
): Promise<void> {
  const domains = companies.map(({ domain }) => domain)
  const tasks: { id: string; companies: number; done: number }[] = []
  const submit = async (kind: 'leadership' | 'signals', maximum: number): Promise<void> => {
    for (const [index, part] of chunk(domains, maximum).entries()) {
      const options = { idempotencyKey: `demo-${kind}-${index}`, signal }
      const { task_id: id } = await client.enrich[kind]({ domains: part }, options)
      if (typeof id === 'string') tasks.push({ id, companies: part.length, done: 0 })
    }
  }
  await submit('leadership', LEADERSHIP_MAXIMUM)
  await submit('signals', SIGNALS_MAXIMUM)
  const deadline = Date.now() + TIMEOUT_MS
  while (tasks.some(({ done }) => done < 1) && Date.now() < deadline) {
    await sleep(250, signal)
    for (const task of tasks.filter(({ done }) => done < 1)) {
      const { completed_at, progress } = await client.tasks.get(task.id, signal)
      task.done = completed_at ? 1 : typeof progress === 'number' ? progress : 0
    }
    onProgress(Math.floor(sum(tasks.map((task) => (task.companies * task.done) / 2))), companies.length)
  }
}
