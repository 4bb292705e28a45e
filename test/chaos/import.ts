/**
 * npm run chaos -- import [KILLS]: kills imports of a roster at seeded moments. Fails if readers see a mixture of the
 * old and the new roster, or if a repeated import does not complete the roster.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { migrate } from '../../src/lib/migrations.ts'
import { ensureDatabase, openPostgres } from '../../src/lib/postgres.ts'
import type { ImportKillReport } from './kill-import.ts'
import { prepareImportKills } from './kill-import.ts'

const kills = Number(process.argv[2] ?? 100)
const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-chaos-'))
await using stack = new AsyncDisposableStack()
stack.defer(() => rm(dataDir, { recursive: true, force: true }))
const server = stack.use(await startEmbeddedPostgres({ dataDir, port: 0 }))
await ensureDatabase(server.url('template_service'))
{
  await using template = openPostgres(server.url('template_service'), { log: silentLog, name: 'chaos' })
  await migrate(template.db, join(import.meta.dirname, '../../sql/service'))
}
await using ground = await prepareImportKills(server.url('postgres'), 'template_service')
const reports: ImportKillReport[] = []
for (let seed = 0; seed < kills; seed += 1) {
  const report = await ground.kill(seed)
  reports.push(report)
  const bad = report.found === 'half' || report.settled === 'half' || !report.healed
  if (bad || seed % 10 === 9) console.log(JSON.stringify(report))
}
const count = (is: (report: ImportKillReport) => boolean) => reports.filter(is).length
const summary = {
  kills,
  while_reading: count(({ phase }) => phase === 'reads'),
  while_merging: count(({ phase }) => phase === 'merges'),
  after_the_end: count(({ phase }) => phase === 'done'),
  old: count(({ settled }) => settled === 'old'),
  new: count(({ settled }) => settled === 'new'),
  half: count(({ found, settled }) => found === 'half' || settled === 'half'),
  healed: count(({ healed }) => healed),
}
console.log(JSON.stringify(summary, null, 2))
process.exitCode = summary.half === 0 && summary.healed === kills ? 0 : 1
