/** npm run chaos -- outages: outages of 20 seconds, 10 minutes and 3 hours in each step of a night, on a simulated clock. About a minute. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { migrate } from '../../src/lib/migrations.ts'
import { ensureDatabase, openPostgres } from '../../src/lib/postgres.ts'
import { OUTAGE_SECONDS, OUTAGE_STEPS, prepareOutages } from './outage-nights.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-chaos-'))
await using stack = new AsyncDisposableStack()
stack.defer(() => rm(dataDir, { recursive: true, force: true }))
const server = stack.use(await startEmbeddedPostgres({ dataDir, port: 0, settings: { fsync: 'off' } }))
await ensureDatabase(server.url('template_warehouse'))
{
  await using template = openPostgres(server.url('template_warehouse'), { log: silentLog, name: 'chaos' })
  await migrate(template.db, join(import.meta.dirname, '../../sql/warehouse'))
}
const ground = stack.use(await prepareOutages(server.url('postgres'), 'template_warehouse'))
const rows: Record<string, unknown>[] = []
for (const step of OUTAGE_STEPS)
  for (const seconds of OUTAGE_SECONDS) {
    const { failedAttempts, waitedFor, differing, otherReasons, paidTwice, unitsUnaccounted } = await ground.run(
      step,
      seconds,
    )
    const problems = [...differing, ...otherReasons, ...paidTwice.map((domain) => `${domain} was paid twice`)]
    if (unitsUnaccounted !== 0) problems.push(`${unitsUnaccounted} units are unaccounted for`)
    if (failedAttempts.length === 0) problems.push('no step failed')
    if (problems.length > 0) process.exitCode = 1
    rows.push({
      step,
      seconds,
      'failed attempts': failedAttempts.length,
      waits: waitedFor.length,
      problems: problems.join('; '),
    })
  }
console.table(rows)
